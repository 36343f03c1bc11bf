import { Skeleton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { BatchCard } from '../../traffic/batches/batch-card.tsx';
import { batchName } from '../../traffic/batches/batch-columns.tsx';
import {
  type BatchMessage,
  batchQuery,
  isMissingBatch,
  resultsQuery,
} from '../../traffic/batches/batch-queries.ts';
import { RESULT_COLUMNS } from '../../traffic/batches/result-columns.tsx';
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
  if (batch === null || (isError && isMissingBatch(error)))
    return <Notice title={t('batches.missing')} alert />;
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
      <Panel title={batchName(batch)}>
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
