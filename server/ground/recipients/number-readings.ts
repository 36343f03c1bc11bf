import { parsePhoneNumberFromString as parseWithTypes } from 'libphonenumber-js/max';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { countryOfNumber } from './country.ts';
import { SHORT_DIGITS, senderKey } from './sender-number.ts';

const read = (digits: string, country?: CountryCode): string[] => {
  const number = parsePhoneNumberFromString(digits, {
    ...(country && { defaultCountry: country }),
    extract: false,
  });
  return number?.isValid() && !number.ext ? [number.number] : [];
};

const MOBILE: unknown[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];
const isMobile = (number: string): boolean => MOBILE.includes(parseWithTypes(number)?.getType());

/**
 * Whose number it may be that came without a plus sign, to a number of ours: a national number of our own country, or a
 * whole number. One reading is certain; with several, what came is among them, because it may be none of the others: a
 * national number of a country that we don't know, or a service. Names, short codes and numbers with their plus sign are
 * what they are.
 */
export const numberReadings = ({ from, to }: { from: string; to: string }): string[] => {
  const digits = from.replace(/[\s().-]/g, '');
  if (!/^\d{7,17}$/.test(digits)) return [from];
  const own = countryOfNumber(senderKey(to)) as CountryCode | '';
  const isAbroad = digits.startsWith('00');
  const mayBeWhole = digits.length > SHORT_DIGITS && !digits.startsWith('0');
  const readings = new Set([
    ...(own && !isAbroad ? read(digits, own) : []),
    ...(isAbroad ? read(`+${digits.slice(2)}`) : []),
    ...(mayBeWhole ? read(`+${digits}`) : []),
  ]);
  const [first = from, ...others] = readings;
  const isCertain = others.length === 0 && (own !== '' || isAbroad) && isMobile(first);
  return isCertain ? [first] : [...readings, from];
};
