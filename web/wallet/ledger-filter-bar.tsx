import { NativeSelect, TextInput } from '@mantine/core';
import type { AccountId } from '../../contract/accounts.ts';
import type { EntryKind, LedgerFilter } from '../../contract/wallet.ts';
import { download } from '../api/download.ts';
import { t } from '../i18n/translate.ts';
import { SaveButton } from '../ui/save-button.tsx';
import classes from './ledger.module.css';
import { LEDGER_KINDS } from './ledger-kinds.ts';

interface LedgerFilterBarProps {
  accountId: AccountId;
  filter: LedgerFilter;
  onChange: (filter: LedgerFilter) => void;
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
      <TextInput
        type="date"
        label={t('ledger.from')}
        value={dateFrom ?? ''}
        max={dateTo}
        error={backwards && t('ledger.backwards')}
        onChange={({ currentTarget }) => onChange({ ...filter, dateFrom: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t('ledger.to')}
        value={dateTo ?? ''}
        min={dateFrom}
        onChange={({ currentTarget }) => onChange({ ...filter, dateTo: currentTarget.value || undefined })}
      />
      <NativeSelect
        label={t('ledger.kind')}
        data={[
          { value: '', label: t('ledger.any_kind') },
          ...LEDGER_KINDS.map((value) => ({ value, label: t(`ledger.kind.${value}`) })),
        ]}
        value={kind ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ ...filter, kind: (currentTarget.value || undefined) as EntryKind | undefined })
        }
      />
      <ExportButton accountId={accountId} filter={filter} />
    </search>
  );
};
