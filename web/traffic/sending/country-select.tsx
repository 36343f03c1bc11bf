import { NativeSelect } from '@mantine/core';
import type { SmsCountry } from '../../../contract/traffic/startup.ts';
import { regionName } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';

const DEFAULT_CODE = '+852';

export const defaultCountry = (countries: SmsCountry[]): string =>
  (countries.find(({ countryCode }) => countryCode === DEFAULT_CODE) ?? countries[0])?.country ?? 'HK';

interface CountrySelectProps {
  countries: SmsCountry[];
  value: string;
  onChange: (country: string) => void;
}

/** The country of numbers that are typed without their code. */
export const CountrySelect = ({ countries, value, onChange }: CountrySelectProps) => (
  <NativeSelect
    size="md"
    label={t('send.country')}
    data={countries.map(({ country, countryCode }) => ({
      value: country,
      label: `${countryCode} ${regionName(country)}`,
    }))}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
