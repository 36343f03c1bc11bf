import { formatAmount, formatCount, formatExactAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import classes from './billing.module.css';
import type { BilledChannel, BillItem } from './billing-queries.ts';
import { shareCents } from './share-cents.ts';

/** A line, and what it is shown as so that all lines add up. */
type Line = BillItem & { cents: number };

const COLUMNS: Column<Line>[] = [
  {
    id: 'item',
    label: () => t('billing.item'),
    cell: ({ displayName }) => <span title={displayName}>{displayName}</span>,
    width: 8,
    grow: 1,
    line: 1,
  },
  {
    id: 'price',
    label: () => t('billing.unit_price'),
    cell: ({ kind, unitPrice, unit }) =>
      kind === 'refund' ? '–' : t('billing.price_per_unit', { price: formatExactAmount(unitPrice), unit }),
    width: 12,
    kind: 'number',
    line: 2,
  },
  {
    id: 'units',
    label: () => t('billing.units'),
    cell: ({ units }) => formatCount(units),
    width: 6,
    kind: 'number',
    line: 2,
  },
  {
    id: 'total',
    label: () => t('billing.total'),
    // Two decimals are what a bill has; the exact figure is what the ledger has.
    cell: ({ kind, total, cents }) => (
      <span
        className={kind === 'refund' ? classes.refund : undefined}
        title={`USD ${formatExactAmount(total)}`}
      >
        {formatAmount(cents / 100)}
      </span>
    ),
    width: 7,
    kind: 'number',
    line: 1,
  },
];

const keyOf = ({ kind, displayName, unitPrice }: BillItem): string => [kind, displayName, unitPrice].join();

interface ChannelPanelProps {
  channel: BilledChannel;
  usage: { total: number; items: BillItem[] };
  /** What its total is shown as, so that the channels add up to the bill. */
  cents: number;
}

const linesOf = (items: BillItem[], cents: number): Line[] => {
  const shares = shareCents(
    cents,
    items.map(({ total }) => total),
  );
  return items.map((item, at) => ({ ...item, cents: shares[at] ?? 0 }));
};

export const ChannelPanel = ({ channel, usage: { total, items }, cents }: ChannelPanelProps) => (
  <Panel
    title={t(`billing.channel.${channel}`)}
    tools={
      <span className={classes.channelTotal} title={`USD ${formatExactAmount(total)}`}>
        USD {formatAmount(cents / 100)}
      </span>
    }
  >
    {items.length === 0 ? (
      <p className={classes.empty}>{t('billing.nothing')}</p>
    ) : (
      <DataList
        name="bill"
        label={t(`billing.channel.${channel}`)}
        columns={COLUMNS}
        rows={linesOf(items, cents)}
        rowId={keyOf}
        empty={t('billing.nothing')}
      />
    )}
  </Panel>
);
