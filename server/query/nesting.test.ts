import { expect, test } from 'vitest';
import { deepAt } from './nesting.ts';

const ENGINES = ['postgres', 'mysql'] as const;
const nested = (open: string, close: string, many: number): string =>
  `select ${open.repeat(many)}1${close.repeat(many)}`;

test.each([
  nested('(', ')', 500),
  nested('array[', ']', 500),
  nested('case when 1 then ', ' end', 500),
  nested('cast(', ' as char)', 300),
  nested('(select ', ')', 1_000),
  nested('abs(1 + ', ')', 300),
  `select ${'a+'.repeat(30_000)}a`,
  `select ${'not '.repeat(5_000)}true`,
  `select ${'- '.repeat(5_000)}1`,
  `select 1${'::int'.repeat(3_000)}`,
  '('.repeat(90_000),
  // Twice the operators of one chain, in brackets inside each other.
  nested(`${'1+'.repeat(20)}(`, ')', 100),
])('what is deep or long is seen in both dialects: %.30s…', (sql) => {
  for (const engine of ENGINES) expect(deepAt(sql, engine), engine).toBeGreaterThan(0);
});

test.each([
  nested('(', ')', 100),
  nested('abs(', ')', 100),
  nested('case when 1 then ', ' end', 100),
  `select ${Array.from({ length: 9_000 }, (_, at) => `-a${at} + 1`).join(', ')} from t`,
  `select 1 from t where ${'a = 1 and b <> 2 or '.repeat(2_000)}c = 3`,
  `${'select a, 1 + 1 from t union all '.repeat(1_000)}select 2`,
  `select 1 in (${'1, '.repeat(40_000)}1)`,
  `select '${'('.repeat(5_000)}', "${'['.repeat(5_000)}" /* ${'('.repeat(5_000)} */ -- ${'('.repeat(5_000)}`,
  `select ${Array.from({ length: 300 }, () => 'case when a then 1 end').join(', ')}`,
])('what is long but flat, or stands in texts and comments, is not: %.30s…', (sql) => {
  for (const engine of ENGINES) expect(deepAt(sql, engine), engine).toBeUndefined();
});

test('each dialect has its own texts and comments', () => {
  const deep = '('.repeat(500);
  expect(deepAt(`select $$${deep}$$, $x$ $$ ${deep} $x$, E'\\'${deep}'`, 'postgres')).toBeUndefined();
  expect(deepAt(`select $$${deep}$$`, 'mysql')).toBeGreaterThan(0);
  expect(deepAt(`select 1 /* /* */ ${deep} */`, 'postgres')).toBeUndefined();
  expect(deepAt(`select 1 /* /* */ ${deep} */`, 'mysql')).toBeGreaterThan(0);
  expect(deepAt(`select '\\'${deep}', \`${deep}\` # ${deep}`, 'mysql')).toBeUndefined();
  expect(deepAt(`select '\\' || ${deep}'`, 'postgres')).toBeGreaterThan(0);
  expect(deepAt(`select 1 --${deep}`, 'postgres')).toBeUndefined();
  expect(deepAt(`select 1 --${deep}`, 'mysql')).toBeGreaterThan(0);
});

test('the parser of the MariaDB zone is spared casts inside each other', () => {
  const casts = nested('cast(1 + ', ' as signed)', 20);
  expect(deepAt(casts, 'mysql')).toBeGreaterThan(0);
  expect(deepAt(casts, 'postgres')).toBeUndefined();
  expect(deepAt(`select ${'cast(1 as char), '.repeat(500)}1`, 'mysql')).toBeUndefined();
});

test('it takes no longer than the text is long', () => {
  const texts = [
    "'",
    '"',
    '`',
    '$a$',
    '$',
    '/*',
    '/* */',
    '--',
    '-',
    '*/',
    'e',
    "e'\\",
    '(',
    ' ',
    'case ',
    '😀',
  ];
  for (const engine of ENGINES)
    for (const text of texts) {
      const begun = performance.now();
      deepAt(text.repeat(100_000 / text.length), engine);
      expect(performance.now() - begun, `${engine} ${text}`).toBeLessThan(1_000);
    }
});
