/** A generator of numbers that gives the same sequence for the same seed (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  const maybe = (share: number): boolean => next() < share;
  return { below, pick, maybe };
};
type Random = ReturnType<typeof randomOf>;

export type Dialect = 'postgres' | 'mysql';

const COLUMNS = ['n', 'label'];
const TEXTS = ["'label 1'", "'limit 5'", "'; delete from numbers; --'", "'it''s'", "'商戶'", "''"];

const number = ({ below }: Random): string => String(below(60));

const expression = (random: Random, depth: number): string => {
  const { pick, below } = random;
  const inner = () => expression(random, depth - 1);
  if (depth <= 0) return pick(['t.n', number(random), 't.n + 1', 'length(t.label)']);
  return pick([
    () => `(${inner()} + ${inner()})`,
    () => `(${inner()} * ${below(5)})`,
    () => `abs(${inner()} - ${inner()})`,
    () => `coalesce(${inner()}, ${number(random)})`,
    () => `nullif(${inner()}, ${number(random)})`,
    () => `case when ${condition(random, depth - 1)} then ${inner()} else ${inner()} end`,
    () => `(select max(s.n) from numbers s where s.n < ${1 + below(30)})`,
    () => `greatest(${inner()}, ${inner()})`,
    () => `/* limit ${below(9)} */ ${inner()}`,
  ])();
};

const condition = (random: Random, depth: number): string => {
  const { pick, below } = random;
  const inner = () => condition(random, depth - 1);
  if (depth <= 0) return `t.n ${pick(['<', '>', '<>', '<=', '='])} ${below(4_000)}`;
  return pick([
    () => `(${inner()} and ${inner()})`,
    () => `(${inner()} or ${inner()})`,
    () => `not (${inner()})`,
    () => `t.label <> ${pick(TEXTS)}`,
    () => `t.label like ${pick(["'%1'", "'label%'", "'%_'"])}`,
    () => `t.n in (${number(random)}, ${number(random)}, ${number(random)})`,
    () => `t.n between ${below(100)} and ${100 + below(3_000)}`,
    () => `exists (select 1 from merchant m where m.id = ${pick(TEXTS)})`,
    () => `t.n in (select u.n from numbers u where u.n < ${below(500)})`,
    () => 't.label is not null',
  ])();
};

const source = (random: Random, depth: number): string => {
  const { pick, below, maybe } = random;
  if (depth > 0 && maybe(0.25)) return `(${select(random, depth - 1, false)}) as t`;
  return pick([
    'numbers t',
    'numbers as t',
    `numbers t join numbers o on o.n = t.n + ${below(3)}`,
    `numbers t left join (select x.n as other from numbers x where x.n < ${below(300)}) y on y.other = t.n`,
    `numbers t cross join (select ${below(9)} as one) z`,
  ]);
};

const comment = ({ pick, maybe }: Random): string =>
  maybe(0.3) ? pick([' /* limit 3 */', ' -- limit 7\n', ' /* ; drop table numbers */', '\n\t']) : '';

/** One query of the columns n and label, of as many rows as there may be. */
const select = (random: Random, depth: number, outer: boolean): string => {
  const { pick, maybe, below } = random;
  const what = outer
    ? pick([
        () => `t.n, t.label, ${expression(random, depth)} as x`,
        () => `t.n, t.label, row_number() over (order by t.n) as x`,
        () => 'distinct t.n, t.label, 1 as x',
        () => `t.n as n, ${pick(TEXTS)} as label, ${expression(random, depth)} as x`,
      ])()
    : 't.n, t.label';
  const where = maybe(0.8) ? ` where ${condition(random, depth)}` : '';
  const order = outer && maybe(0.4) ? ` order by ${pick(COLUMNS)}, 1, 3` : '';
  const cut = maybe(outer ? 0.35 : 0.2) && (order || !outer) ? ` order by 1 limit ${1 + below(900)}` : '';
  return `select${comment(random)} ${what} from${comment(random)} ${source(random, depth)}${where}${cut ? cut : order}`;
};

/** A statement that reads, by the grammar that both dialects have in common. */
export const harmless = (random: Random): string => {
  const { pick, below } = random;
  const depth = below(4);
  const one = () => select(random, depth, true);
  const bare = () => `select t.n, t.label, 1 as x from numbers t where ${condition(random, depth)}`;
  const body = pick([
    one,
    one,
    () => `with c as (${select(random, depth, false)}) select c.n, c.label, 2 as x from c`,
    () =>
      `with c as (select 1 as one), d as (${select(random, 0, false)}) select d.n, d.label, c.one as x from c, d`,
    () => `${bare()} union ${bare()}`,
    () => `${bare()} union all ${bare()}`,
    () => `(${bare()}) union all (${bare()})`,
    () =>
      `select t.label, count(*) as c, max(${expression(random, depth)}) as x from numbers t where ${condition(random, depth)} group by t.label having count(*) > ${below(5)}`,
    () =>
      `with recursive r (n) as (select 1 union all select n + 1 from r where n < ${below(400)}) select n from r`,
  ])();
  return `${comment(random)}${body}${pick(['', ';', ' ;', '\n'])}${comment(random)}`;
};

const WRITES: Record<Dialect, string[]> = {
  postgres: [
    'delete from numbers',
    "insert into numbers values (0, 'x')",
    'update numbers set n = n + 1',
    'drop table numbers',
    'truncate numbers',
    'create table written (a int)',
    'select * into written from numbers',
    "select setval('s', 1)",
    'select lo_create(0)',
    'do $$ begin delete from masked.numbers; end $$',
    'copy numbers from stdin',
    'with gone as (delete from numbers returning *) select * from gone',
    'with new as (insert into merchant select * from merchant returning *) select * from new',
    'set role posthorn',
    'commit',
    'begin; delete from numbers; commit',
    "select set_config('transaction_read_only', 'off', false)",
    'explain analyze delete from numbers',
    "select query_to_xml('delete from numbers', true, true, '')",
    'grant all on numbers to public',
    'alter table numbers add column x int',
    'prepare p as delete from numbers',
    'create function f() returns int language sql as $$ delete from numbers returning 1 $$',
    'select n from numbers for update',
  ],
  mysql: [
    'delete from numbers',
    "insert into numbers values (0, 'x')",
    'update numbers set n = n + 10000',
    'drop table merchant_qa.numbers',
    'truncate merchant_qa.numbers',
    'create table written (a int)',
    "select * from numbers into outfile '/tmp/written'",
    '/*! delete from merchant_qa.numbers */',
    '/*M! delete from merchant_qa.numbers */',
    "prepare p from 'delete from merchant_qa.numbers'",
    "execute immediate 'delete from merchant_qa.numbers'",
    'commit',
    'start transaction; delete from numbers; commit',
    'set session transaction read write',
    'analyze delete from numbers',
    'grant all on *.* to public',
    "replace into numbers values (1, 'x')",
    'load data infile "/etc/passwd" into table numbers',
    'call written()',
    'handler numbers open',
    'select n from numbers for update',
    'set statement max_statement_time = 0 for delete from numbers',
  ],
};

/** A write, alone or hidden in or behind a statement that reads. */
export const hostile = (random: Random, dialect: Dialect): string => {
  const { pick } = random;
  const write = pick(WRITES[dialect]);
  const read = harmless(random);
  return pick([
    () => write,
    () => `${comment(random)}${write}${comment(random)}`,
    () => `${read}; ${write}`,
    () => `${write}; ${read}`,
    () => `select * from (${write}) as w`,
    () => `with w as (${write}) select * from w`,
    () => `explain ${write}`,
    () => `explain analyze ${write}`,
    () => `${read} union ${write}`,
    () => `select (${write})`,
    () => `${read.replace(/;?\s*$/, '')} /*! ; ${write} */`,
    () => `'${write}`,
    () => `select 1 -- \n; ${write}`,
    () => `select 1 where exists (${write})`,
  ])();
};
