import { NativeSelect } from '@mantine/core';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { ENTRY_KINDS } from '../../../../contract/customer/entry-kinds.ts';
import type { EntryKind, LedgerFilter } from '../../../../contract/customer/wallet.ts';
import { download } from '../../../ground/api/download.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { anyOf } from '../../../ground/ui/any-of.ts';
import { DayFilter } from '../../../ground/ui/forms/day-field.tsx';
import { SaveButton } from '../../../ground/ui/forms/save-button.tsx';
import classes from './ledger.module.css';

interface LedgerFilterBarProps {
  accountId: AccountId;
  filter: LedgerFilter;
  /** What is chosen now; the rest stays. */
  onChange: (chosen: LedgerFilter) => void;
}

const ExportButton = ({ accountId, filter }: Omit<LedgerFilterBarProps, 'onChange'>) => (
  <SaveButton
    label={t('ledger.export')}
    save={() =>
      download(
        '/account/:accountId/ledger.csv',
        { params: { accountId }, query: filter },
        'posthorn-ledger.csv',
      )
    }
  />
);

/** Each choice takes effect immediately; the exported file holds the filtered entries. */
export const LedgerFilterBar = ({ accountId, filter, onChange }: LedgerFilterBarProps) => {
  const { dateFrom, dateTo, kind } = filter;
  const backwards = dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo;
  return (
    <search className={classes.filter} aria-label={t('ledger.filter')}>
      <DayFilter
        label={t('ledger.from')}
        pick={t('lists.pick_day', { label: t('ledger.from') })}
        value={dateFrom}
        error={backwards && t('ledger.backwards')}
        onChange={(day) => onChange({ dateFrom: day })}
      />
      <DayFilter
        label={t('ledger.to')}
        pick={t('lists.pick_day', { label: t('ledger.to') })}
        value={dateTo}
        onChange={(day) => onChange({ dateTo: day })}
      />
      <NativeSelect
        label={t('ledger.kind')}
        data={anyOf(t('ledger.any_kind'), ENTRY_KINDS, (value) => t(`ledger.kind.${value}`))}
        value={kind ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ kind: (currentTarget.value || undefined) as EntryKind | undefined })
        }
      />
      <ExportButton accountId={accountId} filter={filter} />
    </search>
  );
};
