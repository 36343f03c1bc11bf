import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { carrierCalls } from '../../../contract/traffic/carriers.ts';
import { type TestDatabase, testDatabase } from '../../../test/database.ts';
import { carrierOf } from './carrier-of.ts';
import { adminCarrierRoutes } from './routes.ts';
import { carrierOfNumber, readCarriers, readPrefixes, replacePrefixes } from './store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('the longest prefix says whose number it is', () => {
  const of = carrierOf([
    { prefix: '+8526', carrierName: 'csl' },
    { prefix: '+85261', carrierName: 'three' },
    // It was ported.
    { prefix: '+85261119999', carrierName: 'smartone' },
  ]);
  expect(['+85261112222', '+85262223333', '+6591234567', '+85261119999'].map(of)).toEqual([
    'three',
    'csl',
    '',
    'smartone',
  ]);
});

it('the database says the same of a number', async () => {
  const digits = fc.string({ unit: fc.constantFrom('1', '2', '3'), minLength: 1, maxLength: 4 });
  const prefix = fc.record({
    prefix: digits.map((some) => `+${some}`),
    carrierName: fc.constantFrom('csl', 'three'),
  });
  const numbers = fc.array(
    digits.map((some) => `+${some}`),
    { minLength: 1, maxLength: 20 },
  );
  const prefixes = fc.uniqueArray(prefix, { selector: (one) => one.prefix, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(prefixes, numbers, async (table, given) => {
      await replacePrefixes(database.db, table);
      const { rows } = await sql<{ carrier: string | null }>`${sql.join(
        given.map((number) => sql`select ${carrierOfNumber(number)} as carrier`),
        sql` union all `,
      )}`.execute(database.db);
      expect(rows.map(({ carrier }) => carrier ?? '')).toEqual(given.map(carrierOf(table)));
    }),
    { numRuns: 100 },
  );
});

it('an admin replaces the table', async () => {
  const routes = adminCarrierRoutes(database);
  const prefixes = [{ prefix: '+8526', carrierName: 'csl' }];
  await routes['PUT /admin/carrierPrefixes']?.({ body: { prefixes }, changed: () => {} } as never);
  expect(await routes['GET /admin/carrierPrefixes']?.({} as never)).toEqual({ prefixes });
});

it('a carrier that only the table of prefixes has is offered by the name that it has there', async () => {
  await replacePrefixes(database.db, [
    { prefix: '+8526', carrierName: 'csl' },
    { prefix: '+65', carrierName: 'Singtel' },
    { prefix: '+658', carrierName: 'Singtel' },
  ]);
  const carriers = await readCarriers(database.db);
  const named = (name: string) => carriers.filter((one) => one.name === name);
  expect(named('Singtel')).toEqual([{ name: 'Singtel', short: 'Singtel', long: 'Singtel' }]);
  expect(named('csl')).toEqual([{ name: 'csl', short: 'csl', long: 'csl Mobile (HKT)' }]);
});

it('a table that names a prefix twice is refused', () => {
  const { body } = carrierCalls['PUT /admin/carrierPrefixes'];
  const named = (carrierName: string) => ({ prefix: '+8526', carrierName });
  expect(body.safeParse({ prefixes: [named('csl')] }).success).toBe(true);
  expect(body.safeParse({ prefixes: [named('csl'), named('smartone')] }).success).toBe(false);
});

it('of two admins who replace it at once, one has the last word', async () => {
  const routes = adminCarrierRoutes(database);
  const table = (first: string) =>
    Array.from({ length: 50 }, (_, at) => ({ prefix: `+${first}${at}`, carrierName: first }));
  const replace = (prefixes: { prefix: string; carrierName: string }[]) =>
    routes['PUT /admin/carrierPrefixes']?.({ body: { prefixes }, changed: () => {} } as never);
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(['1', '2', '3'].map((first) => replace(table(first))));
    const prefixes = await readPrefixes(database.db);
    expect(new Set(prefixes.map(({ carrierName }) => carrierName)).size).toBe(1);
  }
});
