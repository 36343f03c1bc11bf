import fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { readPlainNumber } from './plain-number.ts';

const byLibrary = (recipientRaw: string, defaultCountry: CountryCode) => {
  const number = parsePhoneNumberFromString(recipientRaw, { defaultCountry, extract: false });
  return number?.isValid() && !number.ext
    ? { recipient: number.number as string, country: number.country }
    : undefined;
};

const COUNTRIES = getCountries();

test('what is read without the library is what the library reads, in every country', () => {
  const seen = { read: 0 };
  for (const country of COUNTRIES)
    fc.assert(
      fc.property(
        fc.stringMatching(/^[0-9]{3,13}$/),
        fc.constantFrom('', '+', `+${getCountryCallingCode(country)}`, getCountryCallingCode(country)),
        (digits, before) => {
          const recipientRaw = before + digits;
          const read = readPlainNumber(recipientRaw, country);
          if (!read) return;
          seen.read += 1;
          expect(read, `${recipientRaw} in ${country}`).toEqual(byLibrary(recipientRaw, country));
        },
      ),
      { numRuns: 200 },
    );
  expect(seen.read).toBeGreaterThan(1_000);
});

test.each([
  ['+85261234567', 'HK', '+85261234567'],
  ['61234567', 'HK', '+85261234567'],
  ['+8613800138000', 'HK', '+8613800138000'],
  ['91234567', 'SG', '+6591234567'],
] as const)('%s is common enough to be read without it', (recipientRaw, country, recipient) => {
  expect(readPlainNumber(recipientRaw, country)?.recipient).toBe(recipient);
});

test.each(['+852 6123 4567', '0085261234567', '+15417543010', '+85212', 'letters', ''])(
  '%j is left to the library',
  (recipientRaw) => {
    expect(readPlainNumber(recipientRaw, 'HK')).toBeUndefined();
  },
);
