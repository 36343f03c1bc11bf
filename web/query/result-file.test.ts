import { expect, test } from 'vitest';
import { costliest, planOf } from './explain-plan.ts';
import { csvOf, jsonOf } from './result-file.ts';

const column = (name: string) => ({ name, type: 'text' });

test('a CSV file quotes what has to be quoted and defuses formulas', () => {
  const columns = [column('a'), column('b,"c"')];
  const rows = [
    ['=1+1', '-5.5'],
    ['two\nlines', null],
    ['商戶', '@x'],
  ];
  expect(csvOf({ columns, rows })).toBe(`\uFEFFa,"b,""c"""\r\n'=1+1,-5.5\r\n"two\nlines",\r\n商戶,'@x\r\n`);
});

test('a JSON file keeps columns of the same name apart, and null', () => {
  expect(JSON.parse(jsonOf({ columns: [column('id'), column('id')], rows: [['1', null]] }))).toEqual([
    { id: '1', id_2: null },
  ]);
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
