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

/** The same text, and how many of its characters were read; what patterns read is bounded by the check of patterns. */
const counted = (text: string) => {
  let read = 0;
  const proxy = new Proxy(new String(text), {
    get: (target, name) => {
      read += 1;
      const found = Reflect.get(target, name, target);
      if (typeof found !== 'function') return found;
      return (...given: unknown[]) => {
        const result = found.apply(target, given);
        const from = Number(given[1] ?? 0);
        if (name === 'indexOf') read += (result < 0 ? text.length : result) - from;
        if (name === 'slice') read += result.length;
        return result;
      };
    },
  });
  return { sql: proxy as unknown as string, read: () => read };
};

/** Of one character: what it may be, one after the other. */
const MOST_READ = 30;

test('it reads no more than a few times what the text is long', () => {
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
      const { sql, read } = counted(text.repeat(50_000 / text.length));
      deepAt(sql, engine);
      expect(read(), `${engine} ${text}`).toBeLessThan(MOST_READ * sql.length);
    }
});
