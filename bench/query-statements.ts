/** What an honest analyst asks, of a few milliseconds each. */
export const HONEST = [
  'select count(*) from merchant',
  'select * from merchant order by id limit 50',
  'select m.id, count(*) from merchant m join app a on a.merchant_id = m.id group by m.id order by 2 desc limit 20',
  'select status, count(*) from merchant group by status',
  "select * from relation where kind <> 'none' limit 100",
];

const nested = (open: string, close: string, many: number): string =>
  `select ${open.repeat(many)}1${close.repeat(many)}`;

/** For a parser, or for what looks at a text before it. */
const TEXTS = [
  nested('(', ')', 40_000),
  nested('cast(', ' as char)', 20),
  nested('cast(', ' as char)', 3_000),
  nested('(select ', ')', 1_000),
  `select ${'a+'.repeat(40_000)}a`,
  `select ${'not '.repeat(20_000)}true`,
  nested('array[', ']', 10_000),
  '('.repeat(90_000),
  `select ${"'".repeat(90_001)}`,
  `select 1 ${'/*'.repeat(40_000)}`,
  `select ${'$a$b'.repeat(20_000)}`,
  `select ${'x,'.repeat(45_000)}x`,
  `select ${Array.from({ length: 3 }, () => `${'cast(1+'.repeat(6)}1${' as signed)'.repeat(6)}`).join(' + ')}`,
  `select 1 as "__proto__"`,
];

/** For PostgreSQL: inside one function that hears no cancel, or in memory, or for as long as it may. */
const POSTGRES = [
  "select strpos(repeat('a', 600000), 'b' || repeat('a', 200000))",
  "select length(replace(repeat('a', 600000), 'b' || repeat('a', 200000), 'c'))",
  "select split_part(repeat('a', 600000), 'b' || repeat('a', 200000), 2)",
  'select (select array_agg(n) from generate_series(1, 150000) n) && (select array_agg(-n) from generate_series(1, 150000) n)',
  "select array_agg(repeat('x', 1000000)) from generate_series(1, 100000)",
  "select string_agg(repeat('x', 1000000), '') from generate_series(1, 100000)",
  'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b',
  "select repeat('a', 5000) || 'b' ~ '^(a+)+$'",
  "select repeat('x', 900000) from generate_series(1, 1000)",
  "select n from generate_series(1, 3000000) n order by repeat('x', 100) || n",
  'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
  `select ${'null, '.repeat(1_600)}1 from generate_series(1, 5000) limit 5000`,
];

/**
 * For MariaDB, which is not ours to kill: what its own cancel ends. What it does not end, such as locate, keeps its place
 * there, and server/office/query/linger.test.ts shows it.
 */
const MARIADB = [
  'select count(*) from merchant a, merchant b, merchant c, merchant d, merchant e',
  "select repeat('x', 900000) from merchant",
  "select concat(repeat('a', 3000), 'b') regexp '^(a+)+$'",
  `select ${'null, '.repeat(4_000)}1 from merchant a, merchant b limit 5000`,
  'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
];

export const hostileFor = (engine: 'postgres' | 'mysql'): string[] => [
  ...(engine === 'postgres' ? POSTGRES : MARIADB),
  ...TEXTS,
];
