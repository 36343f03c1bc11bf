import { expect, test } from 'vitest';
import { findPhones, withEdit } from './phone-fields.ts';
import type { Phone } from './phones-query.ts';

/** With what a search looks at. */
const phone = (part: Partial<Phone>): Phone =>
  ({
    phoneNumber: '+85261110001',
    IMSI: '454001234567890',
    remark: '',
    simHost: 'pi-1.example',
    whatsappHost: '',
    whatsappWebHost: '',
    carrierAliases: [],
    ...part,
  }) as Partial<Phone> as Phone;

const PHONES = [
  phone({ name: 'hk-1', remark: 'Top shelf', carrierAliases: ['csl', 'three'] }),
  phone({ name: 'hk-2', simHost: 'pi-7.example' }),
];
const found = (q: string, phones = PHONES) => findPhones(phones, q).map(({ name }) => name);

test('phones are found by their fields, in any case, but not across two fields', () => {
  expect(found(' SHELF ')).toEqual(['hk-1']);
  expect(found('csl, three')).toEqual(['hk-1']);
  expect(found('pi-7')).toEqual(['hk-2']);
  expect(found('shelf pi')).toEqual([]);
  expect(found('shelfpi')).toEqual([]);
});

test('a search that finds all phones leaves the list as it is', () => {
  expect(findPhones(PHONES, '')).toBe(PHONES);
  expect(findPhones(PHONES, 'HK-')).toBe(PHONES);
});

test('a phone that is edited is found by what it says now', () => {
  expect(found('drawer')).toEqual([]);
  const edited = PHONES.map((one) => withEdit(one, { remark: `drawer of ${one.name}` }));
  expect(found('drawer', edited)).toEqual(['hk-1', 'hk-2']);
  expect(found('shelf', edited)).toEqual([]);
});
