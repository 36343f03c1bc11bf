import { type CountryCode, getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, test } from 'vitest';
import { numberReadings } from './index.ts';

const [HONG_KONG, CHINA, TAIWAN, AMERICA] = [
  '+85230001000',
  '+8613800138000',
  '+886223456789',
  '+14155552671',
];

test.each([
  ['+85261112222', HONG_KONG, '+85261112222'],
  ['Shop', HONG_KONG, 'Shop'],
  ['', HONG_KONG, ''],
  ['12345', HONG_KONG, '12345'],
  ['85261112222', HONG_KONG, '+85261112222'],
  ['85261112222', HONG_KONG.slice(1), '+85261112222'],
  ['85261112222', AMERICA, '+85261112222'],
  ['0085261112222', HONG_KONG, '+85261112222'],
  ['0085261112222', '12345', '+85261112222'],
  ['61112222', HONG_KONG, '+85261112222'],
  ['6111 2222', HONG_KONG, '+85261112222'],
  // +678 22123 is a whole number of Vanuatu, but nobody's without a plus sign.
  ['67822123', HONG_KONG, '+85267822123'],
  ['0912345678', TAIWAN, '+886912345678'],
  ['912345678', TAIWAN, '+886912345678'],
  ['13800138000', CHINA, '+8613800138000'],
  ['4155552672', AMERICA, '+14155552672'],
  ['14155552672', AMERICA, '+14155552672'],
])('%j to %j is %j', (from, to, number) => {
  expect(numberReadings({ from, to })).toEqual([number]);
});

test.each([
  ['a Chinese number or an American one', '15022345678', CHINA, ['+8615022345678', '+15022345678']],
  ['an American number or one of Singapore', '6567771234', AMERICA, ['+16567771234', '+6567771234']],
  ['a whole number, or one of a country that we don’t know', '15022345678', '12345', ['+15022345678']],
  ['the same, to a phone whose number nobody knows', '85261112222', '', ['+85261112222']],
  ['no mobile number', '21112222', HONG_KONG, ['+85221112222']],
  ['a service', '90012345', HONG_KONG, ['+85290012345']],
  ['the same', '106901234567', CHINA, ['+86106901234567']],
])('%s is not certain: %s to %j', (_, from, to, readings) => {
  expect(numberReadings({ from, to })).toEqual([...readings, from]);
});

test.each(['61112222', '0912345678', '912345'])(
  '%s is no whole number, whoever it was sent to whose country we don’t know',
  (from) => {
    for (const to of ['', '12345', 'Shop', '0912345678'])
      expect(new Set(numberReadings({ from, to }))).toEqual(new Set([from]));
  },
);

test('a mobile number of any country that wrote to one of the same is never read as another’s alone', () => {
  const wrong = getCountries().flatMap((country: CountryCode) => {
    const number = getExampleNumber(country, examples);
    if (!number) return [];
    return [number.nationalNumber, number.number.slice(1), `00${number.number.slice(1)}`].flatMap((from) => {
      const readings = numberReadings({ from, to: number.number });
      return readings.includes(number.number) || readings.includes(from) ? [] : [`${from}: ${readings}`];
    });
  });
  expect(wrong).toEqual([]);
});
