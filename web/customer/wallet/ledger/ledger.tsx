import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { LedgerFilter } from '../../../../contract/customer/wallet.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { DataList } from '../../../ground/ui/data-list/data-list.tsx';
import { Panel } from '../../../ground/ui/layout/panel.tsx';
import { type LedgerEntry, ledgerQuery } from '../wallet-queries.ts';
import { EntryFacts, LEDGER_COLUMNS } from './ledger-columns.tsx';
import { LedgerFilterBar } from './ledger-filter-bar.tsx';

interface LedgerProps {
  accountId: AccountId;
  filter: LedgerFilter;
  /** What is chosen now; the rest stays. */
  onFilter: (chosen: LedgerFilter) => void;
}

const idOf = ({ _id }: LedgerEntry): string => _id;

/** Every movement of the balance with its cause, newest first. */
export const Ledger = ({ accountId, filter, onFilter }: LedgerProps) => {
  const ledger = useInfiniteQuery({
    ...ledgerQuery(accountId, filter),
    placeholderData: keepPreviousData,
    // Money may have moved since the tab was last looked at.
    refetchOnMount: 'always',
  });
  const entries = useMemo(() => ledger.data?.pages.flatMap((page) => page.entries) ?? [], [ledger.data]);
  return (
    <Panel title={t('ledger.title')}>
      <LedgerFilterBar accountId={accountId} filter={filter} onChange={onFilter} />
      <DataList
        name="ledger"
        label={t('ledger.title')}
        columns={LEDGER_COLUMNS}
        rows={entries}
        rowId={idOf}
        query={ledger}
        failed={t('ledger.failed')}
        empty={t('ledger.none')}
        panel={{
          title: ({ kind }) => t(`ledger.kind.${kind}`),
          content: (entry) => <EntryFacts entry={entry} />,
        }}
      />
    </Panel>
  );
};
