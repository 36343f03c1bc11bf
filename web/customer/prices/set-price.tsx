import { useState } from 'react';
import type { Body } from '../../../contract/calls.ts';
import { CHANNELS, type Channel } from '../../../contract/ground/channels.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import { instantOf } from '../../ground/i18n/instant-of.ts';
import { isMoment } from '../../ground/i18n/moment-text.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { anything, FieldsDialog } from '../../ground/ui/forms/fields-dialog.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { PriceChangeTable } from './price-changes.tsx';

type Wanted = Omit<Body<'POST /admin/prices'>, 'preview'>;
interface Asked {
  wanted: Wanted;
  changes: Answer<'POST /admin/prices'>;
}

const set = (wanted: Wanted, preview: boolean) =>
  call('POST /admin/prices', { body: { ...wanted, preview } });

const priceFault = (typed: string) =>
  !(/^\d{1,4}(\.\d{1,6})?$/.test(typed) && /[1-9]/.test(typed)) && t('prices.price_invalid');
const countryFault = (typed: string) => !/^([A-Za-z]{2})?$/.test(typed) && t('prices.country_invalid');
const fromFault = (typed: string) => typed !== '' && !isMoment(typed) && t('send.later.invalid');

const fields = () => [
  {
    name: 'channel',
    label: t('messages.channel'),
    initial: 'sms',
    options: CHANNELS.map((value) => ({ value, label: t(`send.channel.${value}`) })),
    fault: anything,
  },
  {
    name: 'country',
    label: t('messages.country'),
    description: t('prices.country_hint'),
    fault: countryFault,
  },
  { name: 'carrierName', label: t('prices.network'), description: t('prices.network_hint'), fault: anything },
  { name: 'unitPrice', label: t('prices.unit_price'), kind: 'decimal' as const, fault: priceFault },
  {
    name: 'validFrom',
    label: t('prices.from'),
    description: t('prices.from_hint'),
    kind: 'moment' as const,
    fault: fromFault,
  },
];

const wantedOf = ({
  channel,
  country = '',
  carrierName = '',
  unitPrice = '',
  validFrom,
}: Record<string, string>) => ({
  channel: channel as Channel,
  country: country.toUpperCase(),
  carrierName,
  range: '' as const,
  unitPrice,
  ...(validFrom && { validFrom: instantOf(validFrom) }),
});

/** Sets the price of one destination, once what it changes was seen. */
export const SetPrice = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const [asked, setAsked] = useState<Asked>();
  const save = useSave(async (wanted: Wanted) => {
    await set(wanted, false);
    return { message: t('prices.was_set') };
  });
  const close = () => {
    setAsked(undefined);
    onClose();
  };
  return (
    <>
      <FieldsDialog
        opened={opened && !asked}
        onClose={close}
        title={t('prices.set')}
        text={t('prices.set_hint')}
        fields={fields()}
        submit={async (typed) => {
          const wanted = wantedOf(typed);
          setAsked({ wanted, changes: await set(wanted, true) });
          return undefined;
        }}
      />
      <ConfirmDialog
        opened={asked !== undefined}
        onClose={close}
        onConfirm={async () => {
          if (asked) await save.mutateAsync(asked.wanted).catch(() => undefined);
          close();
        }}
        title={t('prices.set_title')}
        cancel={t('layout.cancel')}
        confirm={t('prices.set')}
        close={t('layout.close')}
      >
        {asked && (
          <PriceChangeTable
            changes={{ ...asked.changes, begins: asked.changes.begins ? [asked.changes.begins] : [] }}
          />
        )}
      </ConfirmDialog>
    </>
  );
};
