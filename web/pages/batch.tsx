import { Skeleton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { AccountId } from '../../contract/accounts.ts';
import type { BatchId } from '../../contract/messages.ts';
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
import { OwnAccount } from './own-account.tsx';
import { useShowChecked } from './use-show-checked.ts';

const route = getRouteApi('/dashboard/messages/batches/$batchId');
const rowId = ({ _id }: BatchMessage) => _id;

const Results = ({ accountId, batchId }: { accountId: AccountId; batchId: BatchId }) => {
  const query = useInfiniteQuery(resultsQuery(accountId, batchId));
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

const Found = ({ accountId }: { accountId: AccountId }) => {
  const batchId = route.useParams().batchId as BatchId;
  const { data: batch, isError, error, isFetching, refetch } = useQuery(batchQuery(accountId, batchId));
  const onChecked = useShowChecked();
  if (batch === null || (isError && isMissing(error))) return <Notice title={t('batches.missing')} alert />;
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
        <BatchCard batch={batch} own={batch.accountId === accountId} onChecked={onChecked} />
      </Panel>
      <Panel
        title={t('send.result')}
        tools={
          <Link to="/dashboard/messages" search={{ filters: { batchId } }}>
            {t('batches.in_messages')}
          </Link>
        }
      >
        <Results accountId={accountId} batchId={batchId} />
      </Panel>
    </div>
  );
};

export const Batch = () => (
  <>
    <PageTitle title={t('batches.one')} />
    <MessagesTabs />
    <Link to="/dashboard/messages/batches" className={classes.back}>
      <IconArrowLeft size={18} aria-hidden="true" />
      {t('batches.back')}
    </Link>
    <OwnAccount>{(accountId) => <Found accountId={accountId} />}</OwnAccount>
  </>
);
