import { Skeleton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Profile } from '../../contract/accounts.ts';
import type { BatchId } from '../../contract/messages.ts';
import { profileQuery } from '../accounts/profile-query.ts';
import { BatchCard } from '../batches/batch-card.tsx';
import { nameOf } from '../batches/batch-columns.tsx';
import { type BatchMessage, batchQuery, isMissing, resultsQuery } from '../batches/batch-queries.ts';
import { RESULT_COLUMNS } from '../batches/result-columns.tsx';
import { t } from '../i18n/translate.ts';
import { DataList } from '../ui/data-list/data-list.tsx';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Panel } from '../ui/panel.tsx';
import classes from './batch.module.css';
import { MessagesTabs } from './messages-tabs.tsx';
import { useShowChecked } from './use-show-checked.ts';

const route = getRouteApi('/dashboard/messages/batches/$batchId');
const rowId = ({ _id }: BatchMessage) => _id;

const Results = ({ profile, batchId }: { profile: Profile; batchId: BatchId }) => {
  const query = useInfiniteQuery(resultsQuery(profile._id, batchId));
  return (
    <DataList
      name="batch-results"
      label={t('send.result')}
      columns={RESULT_COLUMNS}
      rows={query.data?.pages.flatMap(({ messages }) => messages) ?? []}
      rowId={rowId}
      query={query}
      failed={t('messages.failed')}
      empty={t('batches.no_messages')}
    />
  );
};

const Found = ({ profile }: { profile: Profile }) => {
  const batchId = route.useParams().batchId as BatchId;
  const { data: batch, isError, error, isFetching, refetch } = useQuery(batchQuery(profile._id, batchId));
  const onChecked = useShowChecked();
  if (isError && isMissing(error)) return <Notice title={t('batches.missing')} alert />;
  if (isError && !batch)
    return (
      <LoadFailure
        text={t('batches.load_failed')}
        reason={error.message}
        tryAgain={t('layout.try_again')}
        retrying={isFetching}
        onRetry={refetch}
      />
    );
  if (!batch) return <Skeleton height={420} radius="md" />;
  return (
    <div className={classes.panels}>
      <Panel title={nameOf(batch)}>
        <BatchCard batch={batch} own={batch.accountId === profile._id} onChecked={onChecked} />
      </Panel>
      <Panel
        title={t('send.result')}
        tools={
          <Link to="/dashboard/messages" search={{ filters: { batchId } }}>
            {t('batches.in_messages')}
          </Link>
        }
      >
        <Results profile={profile} batchId={batchId} />
      </Panel>
    </div>
  );
};

export const Batch = () => {
  const { data: profile } = useQuery(profileQuery);
  return (
    <>
      <PageTitle title={t('batches.one')} />
      <MessagesTabs />
      <Link to="/dashboard/messages/batches" className={classes.back}>
        <IconArrowLeft size={18} aria-hidden="true" />
        {t('batches.back')}
      </Link>
      {profile ? <Found profile={profile} /> : <Skeleton height={420} radius="md" />}
    </>
  );
};
