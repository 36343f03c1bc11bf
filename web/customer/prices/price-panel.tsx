import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatDateTime, regionName } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { networkOf, priceName } from './price-changes.tsx';
import type { Price } from './prices-query.ts';

/** All that is known of a price, and its end. */
export const PricePanel = ({ price }: { price: Price }) => {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const { priceId, unitPrice, purchase, validFrom, validUntil } = price;
  const end = useSave(async (id: number) => {
    await call('POST /admin/prices/:priceId/end', { params: { priceId: id }, body: { preview: false } });
    return { message: t('prices.was_ended') };
  });
  // The panel stays open although the list no longer has the price.
  const wasEnded = end.isSuccess && end.variables === priceId;
  const isOver = wasEnded || (validUntil !== null && Date.parse(validUntil) <= Date.now());
  return (
    <>
      <Facts
        facts={[
          { label: t('messages.channel'), value: t(`send.channel.${price.channel}`) },
          { label: t('messages.country'), value: price.country && regionName(price.country) },
          { label: t('prices.network'), value: networkOf(price) },
          { label: t('prices.unit_price'), value: unitPrice },
          { label: t('lanes.cost'), value: purchase && `${purchase.least} – ${purchase.most}` },
          { label: t('prices.from'), value: formatDateTime(validFrom) },
          { label: t('prices.until'), value: validUntil ? formatDateTime(validUntil) : t('prices.open') },
        ]}
      />
      {!isOver && may('POST /admin/prices/:priceId/end') && (
        <Group>
          <Button size="xs" color="red.9" onClick={() => setAsking(true)}>
            {t('prices.end_now')}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          if (priceId !== null) await end.mutateAsync(priceId).catch(() => undefined);
          setAsking(false);
        }}
        title={t('prices.end_now')}
        cancel={t('layout.cancel')}
        destructive
        confirm={t('prices.end_now')}
        close={t('layout.close')}
      >
        {t('prices.end_text', { price: priceName(price) })}
      </ConfirmDialog>
    </>
  );
};
