import { formatAmount, formatCount, formatExactAmount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Panel } from '../ui/panel.tsx';
import classes from './billing.module.css';
import type { BilledChannel, BillItem } from './billing-queries.ts';

const Row = ({ item: { kind, displayName, unitPrice, unit, units, total } }: { item: BillItem }) => {
  const price =
    kind === 'refund' ? null : t('billing.price_per_unit', { price: formatExactAmount(unitPrice), unit });
  return (
    <tr>
      <th scope="row">
        {displayName}
        {price && <div className={classes.below}>{price}</div>}
      </th>
      <td className={`${classes.number} ${classes.aside}`}>{price ?? '–'}</td>
      <td className={classes.number}>{formatCount(units)}</td>
      <td className={`${classes.number} ${kind === 'refund' ? classes.refund : ''}`}>
        {formatExactAmount(total)}
      </td>
    </tr>
  );
};

interface ChannelPanelProps {
  channel: BilledChannel;
  usage: { total: number; items: BillItem[] };
}

export const ChannelPanel = ({ channel, usage: { total, items } }: ChannelPanelProps) => (
  <Panel
    title={t(`billing.channel.${channel}`)}
    tools={<span className={classes.channelTotal}>USD {formatAmount(total)}</span>}
  >
    {items.length === 0 ? (
      <p className={classes.empty}>{t('billing.nothing')}</p>
    ) : (
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('billing.item')}</th>
            <th scope="col" className={`${classes.number} ${classes.aside}`}>
              {t('billing.unit_price')}
            </th>
            <th scope="col" className={classes.number}>
              {t('billing.units')}
            </th>
            <th scope="col" className={classes.number}>
              {t('billing.total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={[item.kind, item.displayName, item.unitPrice].join()} item={item} />
          ))}
        </tbody>
      </table>
    )}
  </Panel>
);
