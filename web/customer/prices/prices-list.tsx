import { Button, Switch } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { download } from '../../ground/api/download.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatDateTime, regionName } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../ground/ui/data-list/no-rows.ts';
import { plainColumn } from '../../ground/ui/data-list/plain-column.ts';
import { SaveButton } from '../../ground/ui/forms/save-button.tsx';
import classes from '../../ground/ui/list.module.css';
import { ImportPrices } from './import-prices.tsx';
import { networkOf, priceName } from './price-changes.tsx';
import { PricePanel } from './price-panel.tsx';
import { type Price, pricesQuery } from './prices-query.ts';
import { SetPrice } from './set-price.tsx';

const idOf = ({ priceId }: Price): string => String(priceId);
const purchaseOf = ({ purchase }: Price): string => {
  if (!purchase) return '–';
  return purchase.least === purchase.most ? purchase.least : `${purchase.least} – ${purchase.most}`;
};

const COLUMNS: Column<Price>[] = [
  plainColumn({
    id: 'channel',
    label: () => t('messages.channel'),
    of: ({ channel }) => t(`send.channel.${channel}`),
    width: 6,
    line: 1,
  }),
  plainColumn({
    id: 'country',
    label: () => t('messages.country'),
    of: ({ country }) => (country ? regionName(country) : '–'),
    value: ({ country }) => (country ? regionName(country) : ''),
    width: 9,
    grow: 1,
    line: 1,
  }),
  plainColumn({
    id: 'carrier',
    label: () => t('prices.network'),
    of: networkOf,
    value: ({ carrierName, range }) => `${carrierName} ${range}`,
    width: 9,
    grow: 1,
    line: 2,
  }),
  {
    id: 'unitPrice',
    label: () => t('prices.unit_price'),
    cell: ({ unitPrice }) => unitPrice,
    value: ({ unitPrice }) => Number(unitPrice),
    width: 8,
    kind: 'number',
    sort: 'desc',
    line: 1,
  },
  {
    id: 'purchase',
    label: () => t('lanes.cost'),
    cell: purchaseOf,
    value: ({ purchase }) => Number(purchase?.most ?? -1),
    width: 11,
    kind: 'number',
    sort: 'desc',
    line: 2,
  },
  {
    id: 'validFrom',
    label: () => t('prices.from'),
    cell: ({ validFrom }) => formatDateTime(validFrom),
    value: ({ validFrom }) => validFrom,
    width: 9,
    sort: 'desc',
    line: 2,
  },
  {
    id: 'validUntil',
    label: () => t('prices.until'),
    cell: ({ validUntil }) => (validUntil ? formatDateTime(validUntil) : t('prices.open')),
    value: ({ validUntil }) => validUntil ?? '9',
    width: 9,
    sort: 'asc',
  },
];

const panel = { title: priceName, content: (price: Price) => <PricePanel price={price} /> };

/** What a unit is sold for, by destination and time, beside what it is bought for. */
export const PricesList = () => {
  const may = useMay();
  const [past, setPast] = useState(false);
  const [dialog, setDialog] = useState<'set' | 'import'>();
  const prices = useQuery(pricesQuery(past));
  return (
    <>
      <DataList
        name="prices"
        label={t('prices.title')}
        columns={COLUMNS}
        rows={prices.data?.prices ?? NO_ROWS}
        rowId={idOf}
        query={prices}
        failed={t('prices.failed')}
        empty={t('prices.none')}
        panel={panel}
        pages={
          <Switch
            label={t('prices.past')}
            checked={past}
            onChange={({ currentTarget }) => setPast(currentTarget.checked)}
          />
        }
        tools={
          <div className={classes.tools}>
            {may('POST /admin/prices') && (
              <Button
                leftSection={<IconPlus size={18} aria-hidden="true" />}
                onClick={() => setDialog('set')}
              >
                {t('prices.set')}
              </Button>
            )}
            {may('POST /admin/prices/import') && (
              <Button
                variant="default"
                leftSection={<IconUpload size={18} aria-hidden="true" />}
                onClick={() => setDialog('import')}
              >
                {t('lists.import')}
              </Button>
            )}
            <SaveButton
              label={t('lists.export')}
              save={() => download('/admin/prices.csv', {}, 'posthorn-prices.csv')}
            />
          </div>
        }
      />
      <ImportPrices opened={dialog === 'import'} onClose={() => setDialog(undefined)} />
      <SetPrice opened={dialog === 'set'} onClose={() => setDialog(undefined)} />
    </>
  );
};
