import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { carrierOf, numbersOf } from './carrier-of.ts';
import { adminCarrierRoutes } from './routes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('the longest prefix says whose number it is', () => {
  const of = carrierOf([
    { prefix: '+8526', carrierName: 'csl' },
    { prefix: '+85261', carrierName: 'three' },
  ]);
  expect(['+85261112222', '+85262223333', '+6591234567'].map(of)).toEqual(['three', 'csl', '']);
});

it('the database finds the same numbers by carrier', async () => {
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
      const { rows } = await sql<{ number: string }>`
        select number from unnest(${given}::text[]) as number
        where number ~ ${numbersOf(table, ['csl']) ?? '^$'}`.execute(database.db);
      const of = carrierOf(table);
      expect(rows.map(({ number }) => number)).toEqual(given.filter((number) => of(number) === 'csl'));
    }),
    { numRuns: 100 },
  );
});

it('an admin replaces the table', async () => {
  const routes = adminCarrierRoutes(database);
  const prefixes = [{ prefix: '+8526', carrierName: 'csl' }];
  await routes['PUT /admin/carrierPrefixes']?.({ body: { prefixes } } as never);
  expect(await routes['GET /admin/carrierPrefixes']?.({} as never)).toEqual({ prefixes });
});
