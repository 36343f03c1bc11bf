import { expect, test } from 'vitest';
import { costliest, planOf } from './explain-plan.ts';
import { csvOf, jsonOf } from './result-file.ts';

const column = (name: string, type = 'text') => ({ name, type });
const TABLE = {
  columns: [column('a'), column('b,"c"'), column('small', 'double precision'), column('at', 'timestamp')],
  rows: [
    ['=1+1', '-5.5', '-1e-07', '2026-11-19 12:00:00'],
    ['two\nlines', null, null, null],
    ['', '@x', '5', ''],
  ],
};

test('a CSV file as data has every character as it is, and tells NULL from an empty text', () => {
  expect(csvOf(TABLE, 'data')).toBe(
    'a,"b,""c""",small,at\r\n=1+1,-5.5,-1e-07,2026-11-19 12:00:00\r\n"two\nlines",,,\r\n"",@x,5,""\r\n',
  );
});

test('a CSV file for spreadsheets defuses formulas, and leaves numbers and times what they are', () => {
  expect(csvOf(TABLE, 'spreadsheet')).toBe(
    `\uFEFFa,"b,""c""",small,at\r\n'=1+1,'-5.5,-1e-07,2026-11-19 12:00:00\r\n"two\nlines",,,\r\n,'@x,5,\r\n`,
  );
});

test('a JSON file keeps columns of the same name apart, and null', () => {
  expect(JSON.parse(jsonOf({ columns: [column('id'), column('id')], rows: [['1', null]] }))).toEqual([
    { id: '1', id_2: null },
  ]);
});

test.each([
  [
    ['a', 'a', 'a_2'],
    ['a', 'a_3', 'a_2'],
  ],
  [
    ['a_2', 'a', 'a', 'a', 'a_2'],
    ['a_2', 'a', 'a_3', 'a_4', 'a_2_2'],
  ],
  [
    ['a', 'a', 'a_2', 'a_2', 'a_3', 'a'],
    ['a', 'a_4', 'a_2', 'a_2_2', 'a_3', 'a_5'],
  ],
  [
    ['__proto__', '__proto__', 'constructor'],
    ['__proto__', '__proto___2', 'constructor'],
  ],
])('a JSON file keeps all of the columns %j', (names, unique) => {
  const json = jsonOf({ columns: names.map((name) => column(name)), rows: [names.map((_, at) => `${at}`)] });
  expect(Object.entries(JSON.parse(json)[0])).toEqual(unique.map((name, at) => [name, `${at}`]));
});

test('the costliest step of a plan of PostgreSQL is the one that adds most by itself', () => {
  const plan = planOf({
    rows: [
      [
        JSON.stringify([
          {
            Plan: {
              'Node Type': 'Sort',
              'Total Cost': 110,
              'Plan Rows': 5,
              Plans: [
                { 'Node Type': 'Seq Scan', 'Relation Name': 'app', 'Total Cost': 100, 'Plan Rows': 50 },
              ],
            },
          },
        ]),
      ],
    ],
  });
  expect(plan).toMatchObject({ name: 'Sort', ownCost: 10, children: [{ name: 'Seq Scan app', rows: 50 }] });
  expect(plan && costliest(plan).name).toBe('Seq Scan app');
});

test('a plan of MariaDB is a tree of its steps', () => {
  const told = {
    query_block: {
      select_id: 1,
      cost: 0.5,
      nested_loop: [
        { table: { table_name: 'm', access_type: 'ALL', rows: 50, cost: 0.1 } },
        { table: { table_name: 'p', access_type: 'ref', rows: 2, cost: 0.3 } },
      ],
    },
  };
  const plan = planOf({ rows: [[JSON.stringify(told)]] });
  expect(plan?.children.map(({ name }) => name)).toEqual(['table m (ALL)', 'table p (ref)']);
  expect(plan && costliest(plan).name).toBe('table p (ref)');
  expect(planOf({ rows: [['Seq Scan on app']] })).toBeUndefined();
});
