import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { DomainError } from '../domain-error.ts';

const DEFAULT_COUNTRY: CountryCode = 'HK';

/** The country of a code such as +852, 852 or HK; for a shared calling code, the main one. */
export const countryOf = (code: string | undefined): CountryCode => {
  const wanted = (code ?? '').trim().toUpperCase();
  if (wanted === '') return DEFAULT_COUNTRY;
  if (isSupportedCountry(wanted)) return wanted;
  const [country] = metadata.country_calling_codes[wanted.replace(/^\+/, '')] ?? [];
  if (country === undefined || !isSupportedCountry(country))
    throw new DomainError('E_COUNTRY_INVALID', { country: wanted });
  return country;
};

/** All countries that share a calling code, or the one that is named; none for digits that are no country's. */
export const countriesOf = (code: string): CountryCode[] => {
  const wanted = code.trim().toUpperCase();
  if (isSupportedCountry(wanted)) return [wanted];
  if (!/^\+?\d+$/.test(wanted)) throw new DomainError('E_COUNTRY_INVALID', { country: wanted });
  const all = metadata.country_calling_codes[wanted.replace(/^\+/, '')] ?? [];
  return all.filter((country) => isSupportedCountry(country));
};

/** Such as +852; undefined if there is no such country. */
export const callingCodeOf = (country: string): string | undefined =>
  isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : undefined;
/** Two letters; '' for what is no number, or one of no country. */
export const countryOfNumber = (number: string): string =>
  parsePhoneNumberFromString(number, { extract: false })?.country ?? '';
