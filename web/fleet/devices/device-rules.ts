import type { Body } from '../../../contract/calls.ts';
import { t } from '../../ground/i18n/translate.ts';

type Country = Body<'POST /devices/create'>['countryCode'];

/** As in the contract, whose own list would bring its schemas along. */
export const COUNTRIES = ['HK', 'CN', 'SG', 'US', 'PH', 'KH'] as const satisfies Country[];
export const OFFERED_TYPES = ['whatsapp'] as const;

/** The state of the form. */
export interface NewDevice {
  country: Country | '';
  type: (typeof OFFERED_TYPES)[number] | '';
  risk: boolean;
  terms: boolean;
}
export type NewDeviceField = 'country' | 'risk' | 'terms';

/** In the order of the form. */
export const deviceFaults = ({
  country,
  risk,
  terms,
}: NewDevice): Partial<Record<NewDeviceField, string>> => ({
  ...(country === '' && { country: t('devices.country_missing') }),
  ...(!risk && { risk: t('devices.not_accepted') }),
  ...(!terms && { terms: t('devices.not_accepted') }),
});
