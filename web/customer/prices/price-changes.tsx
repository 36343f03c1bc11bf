import { formatCount, formatDateTime, regionName } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from '../../ground/ui/forms/form-fields.module.css';
import type { ImportedPrices, Price } from './prices-query.ts';

type Changed = ImportedPrices['begins'][number];

export const networkOf = ({ carrierName, range }: Pick<Price, 'carrierName' | 'range'>): string =>
  [carrierName || t('prices.any'), range].filter(Boolean).join(' · ');

export const priceName = ({
  channel,
  country,
  carrierName,
  range,
}: Pick<Price, 'channel' | 'country' | 'carrierName' | 'range'>): string =>
  [t(`send.channel.${channel}`), country && regionName(country), carrierName, range]
    .filter(Boolean)
    .join(' · ');

const Part = ({ title, lines }: { title: string; lines: string[] }) =>
  lines.length > 0 && (
    <section>
      <p>
        {title} ({formatCount(lines.length)})
      </p>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );

const lineOf = (price: Changed): string => `${priceName(price)}: ${price.unitPrice}`;
const untilOf = (price: Changed): string =>
  [lineOf(price), price.validUntil && formatDateTime(price.validUntil)].filter(Boolean).join(' – ');

interface PriceChangesProps {
  changes: Pick<ImportedPrices, 'begins' | 'ends' | 'drops'> &
    Partial<Pick<ImportedPrices, 'unchanged' | 'refusals'>>;
}

/** What would change, before it does. */
export const PriceChangeTable = ({ changes }: PriceChangesProps) => {
  const { begins, ends, drops, unchanged, refusals = [] } = changes;
  return (
    <div className={classes.form} role="status">
      <Part
        title={t('prices.refused')}
        lines={refusals.map(({ row, message }) => t('prices.row', { row, message }))}
      />
      <Part title={t('prices.begin')} lines={begins.map(lineOf)} />
      <Part title={t('prices.end')} lines={ends.map(untilOf)} />
      <Part title={t('prices.drop')} lines={drops.map(lineOf)} />
      {unchanged !== undefined && <p>{t('prices.unchanged', { count: formatCount(unchanged) })}</p>}
    </div>
  );
};
