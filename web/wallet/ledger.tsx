import { Button, Skeleton } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import type { LedgerFilter } from '../../contract/wallet.ts';
import { t } from '../i18n/translate.ts';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Panel } from '../ui/panel.tsx';
import { LedgerFilterBar } from './ledger-filter-bar.tsx';
import { LedgerTable } from './ledger-table.tsx';
import classes from './payment-history.module.css';
import { ledgerQuery } from './wallet-queries.ts';

interface LedgerProps {
  accountId: AccountId;
  filter: LedgerFilter;
  onFilter: (filter: LedgerFilter) => void;
}

/** Every movement of the balance with its cause, newest first. */
export const Ledger = ({ accountId, filter, onFilter }: LedgerProps) => {
  const ledger = useInfiniteQuery({
    ...ledgerQuery(accountId, filter),
    placeholderData: keepPreviousData,
    // Money may have moved since the tab was last looked at.
    refetchOnMount: 'always',
  });
  const entries = ledger.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Panel title={t('ledger.title')}>
      <LedgerFilterBar accountId={accountId} filter={filter} onChange={onFilter} />
      <div aria-busy={ledger.isFetching}>
        {ledger.isPending && <Skeleton height={220} radius="md" />}
        {ledger.isError && (
          <LoadFailure
            text={t('ledger.failed')}
            reason={ledger.error.message}
            tryAgain={t('layout.try_again')}
            onRetry={ledger.refetch}
          />
        )}
        {ledger.isSuccess && entries.length === 0 && <p className={classes.empty}>{t('ledger.none')}</p>}
        {entries.length > 0 && <LedgerTable entries={entries} />}
      </div>
      {ledger.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={ledger.isFetchingNextPage}
            onClick={() => void ledger.fetchNextPage()}
          >
            {t('layout.load_more')}
          </Button>
        </div>
      )}
    </Panel>
  );
};
