import type { Language } from '../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import type { BillingItem } from '../../../contract/office/billing.ts';
import { text } from '../../ground/translations/index.ts';
import type { Usage } from '../../traffic/messages/index.ts';
import type { ChannelBill } from './read-bill.ts';

const TAGS: Record<Language, string> = { en_US: 'en', zh_HK: 'zh-Hant-HK' };

const countryName = (language: Language, country: string): string => {
  if (!/^[A-Z]{2}$/.test(country)) return text(language, 'billing.elsewhere');
  const names = new Intl.DisplayNames(TAGS[language], { type: 'region', style: 'short' });
  return names.of(country) ?? country;
};

const usageName = (language: Language, { channel, country, device }: Usage): string => {
  if (channel === 'email') return text(language, 'billing.name.email');
  const name = countryName(language, country);
  return device ? text(language, 'billing.ofDevice', { device, country: name }) : name;
};

/** The rows of a channel's panel: what was sent, then what was refunded. */
export const itemsOf = (language: Language, { channel, usage, refunded }: ChannelBill): BillingItem[] => [
  ...usage.map((used) => ({
    kind: 'usage' as const,
    displayName: usageName(language, used),
    unitPrice: numberFromMicros(used.unitMicros),
    unit: text(language, `billing.unit.${channel}`),
    units: used.units,
    deviceId: used.device || null,
    total: numberFromMicros(used.priceMicros),
  })),
  ...(refunded
    ? [
        {
          kind: 'refund' as const,
          displayName: text(language, 'billing.refunds'),
          unitPrice: 0,
          unit: text(language, 'billing.unit.refund'),
          units: refunded.messages,
          deviceId: null,
          total: numberFromMicros(-refunded.amountMicros),
        },
      ]
    : []),
];
