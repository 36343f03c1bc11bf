import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { openPriceList } from './index.ts';

const database = await testDatabase();
afterAll(database.close);
const { db } = database;

test('the terms’ price holds until another is set: HK$0.25 a segment', async () => {
  const priceOf = await openPriceList(db).read();
  expect(priceOf({ channel: 'sms', country: 'HK', carrier: '' })).toBe(32_051n);
});

test('the most precise price wins: carrier and country, carrier, country, any', async () => {
  await sql`insert into prices (channel, country, carrier, unit_micros) values
    ('sms', 'SG', '', 40000), ('sms', '', 'csl', 30000), ('sms', 'SG', 'csl', 50000),
    ('email', 'SG', 'csl', 7)`.execute(db);
  const priceOf = await openPriceList(db).read();
  const price = (country: string, carrier: string) => priceOf({ channel: 'sms', country, carrier });
  expect(price('SG', 'csl')).toBe(50_000n);
  expect(price('HK', 'csl')).toBe(30_000n);
  expect(price('SG', 'three')).toBe(40_000n);
  expect(price('HK', 'three')).toBe(32_051n);
  expect(price('', '')).toBe(32_051n);
});

test('a channel without a price has none', async () => {
  await sql`delete from prices where channel = 'whatsapp'`.execute(db);
  const priceOf = await openPriceList(db).read();
  expect(priceOf({ channel: 'whatsapp', country: 'HK', carrier: '' })).toBeUndefined();
});
