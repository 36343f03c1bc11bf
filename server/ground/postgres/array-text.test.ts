import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';

const database = await testDatabase();
afterAll(database.close);

const readBack = async (type: string, values: unknown[]): Promise<unknown[]> => {
  const { rows } = await sql<{ item: unknown }>`
    select item from unnest(${values}::${sql.raw(type)}[]) with ordinality as given (item, place)
    order by place`.execute(database.db);
  return rows.map(({ item }) => item);
};

test.each([
  ['text', ['plain', '', 'NULL', 'null', ' spaced ', '{a,b}', 'a,b', '\n\r\t', '中文 😀', 'é']],
  ['text', ['"', '""', '\\', '\\\\', '\\"', '"}', '","', '\\n', `it's`, '{"a":"b\\"c"}']],
  ['text', ['one', null, 'NULL']],
  ['text', [null, null]],
  ['text', []],
  ['text', ['x']],
  ['int', [1, -2, 2_147_483_647]],
  ['float8', [0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e21, -0.000001]],
  ['bigint', [1n, -9_223_372_036_854_775_808n]],
  ['bigint', [1n, null]],
  ['boolean', [true, false]],
  ['uuid', ['0197c5de-0000-7000-8000-000000000000', '0197c5de-0000-7000-8000-00000000000f']],
  ['timestamptz', [new Date(0), new Date(1_700_000_000_000)]],
  ['bytea', [Buffer.from('\\"{}'), Buffer.from([0, 255])]],
])('an array of %s arrives as it was given', async (type, values) => {
  expect(await readBack(type, values)).toEqual(values);
});

test('JSON within an array arrives as it was given', async () => {
  const values = [{ 'a"b': 'c\\d' }, { list: [1, null] }];
  expect(
    await readBack(
      'jsonb',
      values.map((value) => JSON.stringify(value)),
    ),
  ).toEqual(values);
});
