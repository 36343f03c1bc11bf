import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { openPriceList } from './index.ts';

const database = await testDatabase();
afterAll(database.close);
const { db } = database;
beforeEach(() => sql`delete from prices where carrier <> '' or valid_until is not null`.execute(db));

const HK = { channel: 'sms', country: 'HK', carrier: '', range: '' } as const;

test('the terms’ price holds until another is set: HK$0.25 a segment', async () => {
  const priceOf = await openPriceList(db).read();
  expect(priceOf(HK)).toBe(32_051n);
});

test('every country of the startup data has a price from the start, and no other', async () => {
  const { rows } = await sql<{ country: string }>`select country from sms_countries`.execute(db);
  const expected = rows.map(({ country }) => country).sort();
  const list = openPriceList(db);
  expect(await list.countries('sms')).toEqual(expected);
  expect(await list.countries('whatsapp')).toEqual(expected);
});

test('the row with the carrier wins; neither stands for another country or range', async () => {
  await sql`insert into prices (channel, country, carrier, unit_micros) values ('sms', 'SG', 'csl', 50000)`.execute(
    db,
  );
  const priceOf = await openPriceList(db).read();
  expect(priceOf({ ...HK, country: 'SG', carrier: 'csl' })).toBe(50_000n);
  expect(priceOf({ ...HK, country: 'SG', carrier: 'three' })).toBe(32_051n);
  expect(priceOf({ ...HK, carrier: 'csl' })).toBe(32_051n);
  expect(priceOf({ ...HK, country: 'GB', carrier: 'csl' })).toBeUndefined();
  expect(priceOf({ ...HK, range: 'premium' })).toBeUndefined();
  expect(priceOf({ ...HK, country: '', range: 'satellite' })).toBeUndefined();
});

test('a price holds from its beginning to its end', async () => {
  await sql`insert into prices (channel, country, carrier, unit_micros, valid_from, valid_until) values
    ('sms', 'HK', 'past', 1, now() - interval '2 days', now() - interval '1 day'),
    ('sms', 'HK', 'now', 2, now() - interval '2 days', now() + interval '1 day'),
    ('sms', 'HK', 'later', 3, now() + interval '1 day', null)`.execute(db);
  const priceOf = await openPriceList(db).read();
  const prices = ['past', 'now', 'later'].map((carrier) => priceOf({ ...HK, carrier }));
  expect(prices).toEqual([32_051n, 2n, 32_051n]);
});

test('no row can price the ordinary numbers of the whole world', async () => {
  for (const channel of ['sms', 'whatsapp'])
    await expect(
      sql`insert into prices (channel, carrier, unit_micros) values (${channel}, 'csl', 1)`.execute(db),
    ).rejects.toThrow('prices_destination');
});
