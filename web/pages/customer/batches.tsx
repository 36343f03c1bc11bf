import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import lists from '../../ground/ui/list.module.css';
import { BatchCard } from '../../traffic/batches/batch-card.tsx';
import { BATCH_COLUMNS, batchName } from '../../traffic/batches/batch-columns.tsx';
import { type BatchRecord, batchesQuery } from '../../traffic/batches/batch-queries.ts';
import { MessagesTabs } from './messages-tabs.tsx';
import { OwnAccount } from './own-account.tsx';
import { useShowChecked } from './use-show-checked.ts';

const rowId = ({ _id }: BatchRecord) => _id;

const Files = ({ accountId }: { accountId: AccountId }) => {
  const query = useInfiniteQuery(batchesQuery(accountId));
  const batches = useMemo(() => query.data?.pages.flatMap((page) => page.batches) ?? [], [query.data]);
  const onChecked = useShowChecked();
  return (
    <section className={lists.frame} aria-label={t('batches.title')}>
      <DataList
        name="batches"
        label={t('batches.title')}
        columns={BATCH_COLUMNS}
        rows={batches}
        rowId={rowId}
        query={query}
        failed={t('batches.load_failed')}
        empty={t('batches.none')}
        tools={<Link to="/dashboard/messages/send">{t('batches.send_file')}</Link>}
        panel={{
          title: batchName,
          content: (batch) => (
            <>
              <Link to="/dashboard/messages/batches/$batchId" params={{ batchId: batch._id }}>
                {t('batches.open')}
              </Link>
              <BatchCard batch={batch} own={batch.accountId === accountId} onChecked={onChecked} />
            </>
          ),
        }}
      />
    </section>
  );
};

export const Batches = () => (
  <div data-wide>
    <PageTitle title={t('batches.title')} />
    <MessagesTabs />
    <OwnAccount>{(accountId) => <Files accountId={accountId} />}</OwnAccount>
  </div>
);
