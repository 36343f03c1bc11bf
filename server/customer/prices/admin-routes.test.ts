import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Body, CallName, Reply } from '../../../contract/calls.ts';
import { calls } from '../../../contract/calls.ts';
import { testDatabase } from '../../../test/database.ts';
import { readLanes } from '../../traffic/lanes/index.ts';
import { adminPriceFiles, adminPriceRoutes } from './index.ts';

const database = await testDatabase();
afterAll(database.close);
const { db } = database;
beforeEach(() => sql`delete from prices where country = 'GB' or number_range <> ''`.execute(db));

/** As the server calls it: the body with its defaults. */
const ask = async <N extends CallName>(name: N, given: object): Promise<Reply<N>> => {
  const route = adminPriceRoutes({ db, readLanes })[name as 'POST /admin/prices'];
  const input = given as { body?: unknown };
  const { body: schema } = calls[name] as { body?: { parse: (body: unknown) => unknown } };
  const call = schema ? { ...input, body: schema.parse(input.body) } : input;
  return (await route?.({ ...call, changed: () => {} } as never)) as unknown as Reply<N>;
};
const GB = { channel: 'sms', country: 'GB' } as const;
const set = (body: Partial<Body<'POST /admin/prices'>>) =>
  ask('POST /admin/prices', { body: { ...GB, unitPrice: '0.05', ...body } });
const listed = async (past = 'false') => {
  const { prices } = await ask('GET /admin/prices', { query: { ...GB, past } });
  return prices.map(({ unitPrice, validUntil }) => [unitPrice, validUntil !== null]);
};
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test('a price that is set replaces the one in force, which stays in the list of past ones', async () => {
  expect(await listed()).toEqual([]);
  const first = await set({});
  expect(first).toMatchObject({
    begins: { ...GB, unitPrice: '0.05', validUntil: null },
    ends: [],
    drops: [],
  });
  const second = await set({ unitPrice: '0.0625' });
  expect(second.ends).toMatchObject([
    { priceId: first.begins?.priceId, validUntil: second.begins?.validFrom },
  ]);
  expect(await listed()).toEqual([['0.0625', false]]);
  expect(await listed('true')).toEqual([
    ['0.05', true],
    ['0.0625', false],
  ]);
});

test('a preview shows what would change, and changes nothing', async () => {
  await set({});
  const before = await listed('true');
  const preview = await set({ unitPrice: '0.07', preview: true });
  expect(preview).toMatchObject({
    begins: { priceId: null, unitPrice: '0.07' },
    ends: [{ unitPrice: '0.05' }],
  });
  expect(await listed('true')).toEqual(before);
});

test('a price of next month leaves today’s in force; setting another drops what had not begun', async () => {
  await set({});
  await set({ unitPrice: '0.06', validFrom: inDays(30) });
  expect(await listed()).toEqual([
    ['0.05', true],
    ['0.06', false],
  ]);
  const now = await set({ unitPrice: '0.07' });
  expect(now).toMatchObject({ ends: [{ unitPrice: '0.05' }], drops: [{ unitPrice: '0.06' }] });
  expect(await listed()).toEqual([['0.07', false]]);
});

test('an ended price leaves its destination without one; one that had not begun is dropped', async () => {
  const { begins } = await set({});
  const end = (body: object) =>
    ask('POST /admin/prices/:priceId/end', { params: { priceId: begins?.priceId }, body });
  expect(await end({ preview: true })).toMatchObject({ ends: [{ unitPrice: '0.05' }] });
  expect(await listed()).toHaveLength(1);
  await end({});
  expect(await listed()).toEqual([]);
  await expect(end({})).rejects.toMatchObject({ code: 'E_PRICE_PAST' });

  const later = await set({ validFrom: inDays(2) });
  const params = { priceId: later.begins?.priceId };
  const dropped = await ask('POST /admin/prices/:priceId/end', { params, body: {} });
  expect(dropped).toMatchObject({ ends: [], drops: [{ unitPrice: '0.05' }] });
  expect(await listed()).toEqual([]);
});

test.each([
  [{ validFrom: inDays(-1) }, 'E_PRICE_PAST'],
  [{ validFrom: inDays(2), validUntil: inDays(1) }, 'E_PRICE_PAST'],
  [{ country: '' }, 'E_PRICE_DESTINATION'],
  [{ channel: 'email' as const }, 'E_PRICE_DESTINATION'],
  [{ country: 'ZZ' }, 'E_COUNTRY_INVALID'],
])('%o is refused', async (body, code) => {
  await expect(set(body)).rejects.toMatchObject({ code });
});

test('of many that set a price at once the last one is in force, and the others have ended', async () => {
  const prices = Array.from({ length: 8 }, (_, at) => `0.0${at + 1}`);
  await Promise.all(prices.map((unitPrice) => set({ unitPrice })));
  expect(await listed()).toHaveLength(1);
  const all = await listed('true');
  expect(all.filter(([, ended]) => !ended)).toHaveLength(1);
});

const HEAD = 'channel,country,carrierName,range,unitPrice,validFrom,validUntil';
const bring = (rows: string[], preview = false) =>
  ask('POST /admin/prices/import', { body: { csv: [HEAD, ...rows].join('\n'), preview }, language: 'en_US' });

test('a file of prices is looked at first, then set as a whole, and its export changes nothing', async () => {
  await set({});
  const rows = ['sms,GB,,,0.06,,', `sms,GB,O2,,0.055,${inDays(3)},`];
  const preview = await bring(rows, true);
  expect(preview).toMatchObject({ done: false, refusals: [], unchanged: 0, ends: [{ unitPrice: '0.05' }] });
  expect(preview.begins.map(({ unitPrice }) => unitPrice)).toEqual(['0.06', '0.055']);
  expect(await listed()).toEqual([['0.05', false]]);
  expect(await bring(rows)).toMatchObject({ done: true });
  expect(await listed()).toEqual([
    ['0.06', false],
    ['0.055', false],
  ]);
  const file = adminPriceFiles({ db, readLanes })['GET /admin/prices.csv']?.answer({} as never) as {
    body: AsyncIterable<string>;
  };
  let csv = '';
  for await (const line of file.body) csv += line;
  const again = await ask('POST /admin/prices/import', { body: { csv }, language: 'en_US' });
  expect(again).toMatchObject({ done: true, begins: [], ends: [], drops: [], refusals: [] });
  expect(again.unchanged).toBe(csv.trimEnd().split('\r\n').length - 1);
});

test('a file with one bad row changes nothing, and says which rows', async () => {
  const { refusals, done } = await bring([
    'sms,GB,,,0.06,,',
    'sms,,,,0.06,,',
    'sms,GB,EE,,much,,',
    'sms,GB,,,0.07,,',
    `sms,GB,EE,,0.07,${inDays(-1)},`,
  ]);
  expect(done).toBe(false);
  expect(refusals.map(({ row }) => row)).toEqual([3, 4, 5, 6]);
  expect(await listed('true')).toEqual([]);
});

test('beside a price stands what the lanes cost that may carry it', async () => {
  await set({});
  await sql`insert into lanes (name, channel, provider, simulated, cost_micros, country_costs, countries)
    values ('a', 'sms', 'test', false, 40000, '{"GB": "30000"}', '{}'), ('b', 'sms', 'test', false, 45000, '{}', '{GB}'),
      ('c', 'sms', 'test', false, 1, '{}', '{US}'), ('d', 'sms', 'test', true, 0, '{}', '{}')`.execute(db);
  const { prices } = await ask('GET /admin/prices', { query: GB });
  expect(prices.map(({ purchase }) => purchase)).toEqual([{ least: '0.03', most: '0.045' }]);
});
