import { type CountryCode, getCountries, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { expect, test } from 'vitest';
import { numberRange, readRecipient } from './index.ts';

const rangeOf = (phone: string) => numberRange(readRecipient('sms', phone, 'HK'));

test.each([
  ['+85290012345678', 'premium'],
  ['+19002345678', 'premium'],
  ['+449098790000', 'premium'],
  ['+979123456789', 'premium'],
  ['+33820123456', 'shared-cost'],
  ['+80812345678', 'shared-cost'],
  ['+447012345678', 'personal'],
  ['+441234567890', ''],
  ['+443331234567', 'universal'],
  ['+80012345678', 'universal'],
  ['+881612345678', 'satellite'],
  ['+870301234567', 'satellite'],
  ['+883510012345', 'satellite'],
  ['+85261112222', ''],
  ['+15417543010', ''],
])('%s is of the range %j', (phone, range) => {
  expect(rangeOf(phone)).toBe(range);
});

test('a mobile number of any country is an ordinary one', () => {
  const special = getCountries().flatMap((country: CountryCode) => {
    const number = getExampleNumber(country, examples);
    return number && numberRange({ recipient: number.number, country }) !== ''
      ? [`${country} ${number.number}`]
      : [];
  });
  expect(special).toEqual([]);
});
