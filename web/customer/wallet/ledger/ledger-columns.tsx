import { formatDateTime, formatExactAmount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import type { Column } from '../../../ground/ui/data-list/column.ts';
import { Facts } from '../../../ground/ui/layout/facts.tsx';
import { Tag, type Tone } from '../../../ground/ui/tag.tsx';
import type { LedgerEntry } from '../wallet-queries.ts';
import classes from './ledger.module.css';

const TONES: Record<LedgerEntry['kind'], Tone> = {
  TOP_UP: 'good',
  REFUND: 'good',
  CAPTURE: 'plain',
  RECAPTURE: 'plain',
  ADJUSTMENT: 'wait',
  REVERSAL: 'bad',
};

const Time = ({ entry: { createdAt } }: { entry: LedgerEntry }) => (
  <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
);

const Kind = ({ entry: { kind } }: { entry: LedgerEntry }) => (
  <Tag tone={TONES[kind]}>{t(`ledger.kind.${kind}`)}</Tag>
);

const Amount = ({ entry: { amount } }: { entry: LedgerEntry }) => (
  <span className={amount > 0 ? classes.gain : classes.loss}>
    {amount > 0 ? '+' : ''}
    {formatExactAmount(amount)}
  </span>
);

export const LEDGER_COLUMNS: Column<LedgerEntry>[] = [
  {
    id: 'time',
    label: () => t('ledger.time'),
    cell: (entry) => <Time entry={entry} />,
    width: 11.5,
    line: 2,
  },
  {
    id: 'kind',
    label: () => t('ledger.kind'),
    cell: (entry) => <Kind entry={entry} />,
    width: 7.5,
    line: 1,
  },
  {
    id: 'description',
    label: () => t('ledger.description'),
    cell: ({ description }) => description,
    width: 10,
    grow: 1,
    line: 2,
  },
  {
    id: 'amount',
    label: () => t('ledger.amount'),
    cell: (entry) => <Amount entry={entry} />,
    width: 7.5,
    kind: 'number',
    line: 1,
  },
  {
    id: 'balance',
    label: () => t('ledger.balance'),
    cell: ({ balance }) => formatExactAmount(balance),
    width: 7.5,
    kind: 'number',
    line: 1,
  },
];

/** What the panel beside the list says of an entry. */
export const EntryFacts = ({ entry }: { entry: LedgerEntry }) => (
  <Facts
    facts={[
      { label: t('ledger.time'), value: <Time entry={entry} /> },
      { label: t('ledger.kind'), value: <Kind entry={entry} /> },
      { label: t('ledger.amount'), value: <Amount entry={entry} /> },
      { label: t('ledger.balance'), value: formatExactAmount(entry.balance) },
      { label: t('ledger.description'), value: entry.description },
    ]}
  />
);
