import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestAccounts } from '../../../test/accounts.ts';
import { openPostgresReader } from '../../providers/postgres-reader/index.ts';
import { openTestJudging } from './testing/judging.ts';
import { findMerchants } from './testing/merchants.ts';
import { makeTestZones } from './testing/postgres.ts';

let accounts: Awaited<ReturnType<typeof openTestAccounts>>;
let zones: Awaited<ReturnType<typeof makeTestZones>>;
let user: string;
const judging = openTestJudging();
/** A user who can read the tables themselves, with all that is secret in them. */
const openReader = () => openPostgresReader({ ...zones.hk, user, mask: 'program' }, judging.of('postgres'));
let reader: ReturnType<typeof openReader>;

beforeAll(async () => {
  accounts = await openTestAccounts();
  zones = await makeTestZones(accounts);
  user = `${zones.hk.user}_all`;
  await zones.owner.pool.query(`
    create role ${user} login noinherit;
    grant connect on database ${zones.database} to ${user};
    grant usage on schema public to ${user};
    grant select on all tables in schema public to ${user}`);
  reader = openReader();
});
afterAll(async () => {
  await zones?.owner.pool.query(`drop owned by ${user}; drop role ${user}`);
  await judging.close();
  await zones?.close();
  await accounts?.close();
});

const read = (sql: string, using = reader) =>
  using.read({
    database: zones.database,
    sql,
    timeoutMs: 15_000,
    mostRows: 1_000,
    mostBytes: 8_000_000,
    signal: new AbortController().signal,
  });
const SECRET = /argon2id|tok_|whsec_/;

test.each([
  'select * from profile',
  'select p.* from profile p',
  'table profile',
  'select password_hash from profile',
  'select p.password_hash as x, id from profile as p order by id',
  'select "password_hash" from public.profile where merchant_id = \'HK100001\'',
  'select * from profile p join app a on a.merchant_id = p.merchant_id order by p.email',
  'select a.*, p.email from app a, profile p where a.merchant_id = p.merchant_id',
  'with few as (select id from merchant limit 3) select p.* from profile p join few on few.id = p.merchant_id',
  'select api_token, webhook_secret, count(*) over () from app',
])('%s comes with its secrets masked', async (sql) => {
  const outcome = await read(sql);
  expect(outcome).toMatchObject({ kind: 'done' });
  const told = JSON.stringify(outcome);
  expect(told).not.toMatch(SECRET);
  expect(told).toContain('••••••');
});

test('what is null stays null, and other columns and tables are as they are', async () => {
  const secrets = await read(
    'select webhook_secret is null from merchant, lateral (select null as webhook_secret) x limit 1',
  );
  expect(secrets).toMatchObject({ rows: [['t']] });
  const hooks = await read('select webhook_secret from app');
  expect(hooks.kind === 'done' && new Set(hooks.rows.flat())).toEqual(new Set([null, '••••••']));
  for (const [sql, rows] of [
    [
      "select contact_name, email from profile where id = 'P200001'",
      [['Wong Siu Ling', 'siuling1@example.org']],
    ],
    ['select count(*), max(length(email)) > 5 from profile', [['640', 't']]],
    ['select p.role, count(*) from profile p group by 1 order by 2 desc, 1 limit 1', [['finance', '214']]],
    ["select exists (select 1 from profile where role = 'owner')", [['t']]],
    ['select x.email from (select email from profile order by id limit 1) x', [['siuling1@example.org']]],
  ] as const)
    expect(await read(sql), sql).toMatchObject({ kind: 'done', rows });
});

test.each([
  'select upper(password_hash) from profile',
  "select password_hash || '' from profile",
  'select password_hash::text from profile',
  'select (password_hash) || id from profile',
  "select id from profile where password_hash like '$argon2id%'",
  'select id from profile order by password_hash',
  'select id, password_hash from profile order by 2',
  'select password_hash as x from profile order by x',
  'select * from profile order by 8',
  'select distinct password_hash from profile',
  'select distinct * from profile',
  'select password_hash, count(*) from profile group by password_hash',
  'select password_hash from profile group by 1',
  'select max(password_hash) from profile',
  'select p from profile p',
  'select profile from profile',
  'select public.profile from profile',
  'select p::text from profile p',
  'select p.* is null from profile p',
  'select row(p.*)::text from profile p',
  'select row_to_json(p) from profile p',
  'select p.to_json from profile p',
  'select p.row_to_json from profile p',
  'select p.to_jsonb, 1 as to_jsonb from profile p',
  'select profile.to_jsonb from profile',
  'select password_hash(p) from profile p',
  'select (p).password_hash from profile p',
  'select (select password_hash from profile limit 1)',
  'select x from (select password_hash as x from profile) t',
  'select * from (select password_hash as x from profile) t',
  'select * from (select * from profile) t',
  'select upper(t.h) from (select * from profile) as t(a, b, c, d, e, f, g, h)',
  'select upper(h) from profile as t(a, b, c, d, e, f, g, h)',
  'select h from (profile cross join app) as t(a, b, c, d, e, f, g, h)',
  'with t as (select * from profile) select * from t',
  'with t as (table profile) select upper(password_hash) from t',
  'with t(h) as (select password_hash from profile) select upper(h) from t',
  'select password_hash from profile union select api_token from app',
  'select * from profile union all select * from profile',
  '(select password_hash from profile) except (select api_token from app)',
  'select 1 where exists (select * from profile)',
  "select id from profile p where p.id in (select id from profile where password_hash > '$')",
  'select p.id from profile p join profile q using (password_hash)',
  'select p.id from profile p natural join profile q',
  'select p.id from profile p join profile q on p.password_hash = q.password_hash',
  'select j from (profile p join app a on true) as j',
  'select case when password_hash is null then 1 end from profile',
  'select coalesce(api_token, webhook_secret) from app',
  "select count(*) filter (where api_token > 't') from app",
  'select rank() over (order by api_token) from app',
  'select rank() over w from app window w as (partition by api_token)',
  'select array(select api_token from app)',
  'select json_agg(a) from app a',
  'select json_agg(app) from app',
  'select xmlelement(name x, a) from app a',
  'select xmlforest(api_token) from app',
  "select most_common_vals from pg_stats where tablename = 'profile'",
  'select * from pg_catalog.pg_stats',
  'select * from pg_stats_ext',
  "explain select id from profile where password_hash > '$'",
  'explain analyze select upper(password_hash) from profile',
  'select id from profile limit (select length(max(password_hash)) from profile)',
  'select g from generate_series(1, 2) g, lateral (select p.* from profile p limit 1) x',
  'values ((select api_token from app limit 1))',
])('%s is refused, because the secret in it could not be traced', async (sql) => {
  const verdict = await reader.judge(sql, 1_000);
  // What the judge lets pass, the reader refuses.
  expect(verdict).toMatchObject({ kind: 'reads' });
  expect(await read(sql)).toMatchObject({ kind: 'untraceable', what: expect.any(String) });
});

test('what would read a secret unseen makes the zone unsafe, or is refused', async () => {
  const { pool } = zones.owner;
  const fresh = (sql = 'select 1') => read(sql, openReader());
  expect(await fresh()).toMatchObject({ kind: 'done' });
  const cases: [string, string, string, object][] = [
    [
      `create view public.shown as select password_hash as x from profile; grant select on public.shown to ${user}`,
      'drop view public.shown',
      'select x from shown',
      { kind: 'unsafe', message: expect.stringContaining('shown') },
    ],
    [
      `create view masked.inner_view as select p from profile p; create view public.outer_view as select * from masked.inner_view;
       grant select on public.outer_view to ${user}`,
      'drop view public.outer_view; drop view masked.inner_view',
      'select 1',
      { kind: 'unsafe', message: expect.stringContaining('outer_view') },
    ],
    [
      'create function public.peek() returns text language sql stable as $$ select password_hash from public.profile limit 1 $$',
      'drop function public.peek()',
      'select peek()',
      { kind: 'untraceable', what: 'peek' },
    ],
    ...[
      'select (1).glimpse',
      'select m.id, (m.id is null).glimpse from merchant m',
      'select g.glimpse from generate_series(1, 2) g',
    ].map((sql): [string, string, string, object] => [
      'create function public.glimpse(any_value anyelement) returns text language sql stable as $$ select password_hash from public.profile limit 1 $$',
      'drop function public.glimpse(anyelement)',
      sql,
      { kind: 'untraceable', what: 'glimpse' },
    ]),
    [
      `create function public.look(int, int) returns text language sql stable as $$ select password_hash from public.profile limit 1 $$;
       create operator public.### (leftarg = int, rightarg = int, function = public.look)`,
      'drop operator public.### (int, int); drop function public.look(int, int)',
      'select 1 ### 2',
      { kind: 'untraceable', what: '###' },
    ],
    [
      `create table public.archive () inherits (public.profile); grant select on public.archive to ${user};
       insert into public.archive select * from public.profile limit 1`,
      'drop table public.archive',
      'select upper(password_hash) from archive',
      { kind: 'untraceable', what: 'password_hash' },
    ],
    [
      "alter table public.app add column twice text generated always as (api_token || '') stored",
      'alter table public.app drop column twice',
      'select twice from app',
      { kind: 'unsafe', message: expect.stringContaining('generated') },
    ],
    [
      'alter table public.profile rename column password_hash to hash',
      'alter table public.profile rename column hash to password_hash',
      'select hash from profile',
      { kind: 'unsafe', message: expect.stringContaining('public.profile.password_hash') },
    ],
    [
      `grant insert on public.profile to ${user}`,
      `revoke insert on public.profile from ${user}`,
      'select 1',
      { kind: 'unsafe', message: expect.stringContaining('writing to') },
    ],
  ];
  for (const [make, drop, sql, expected] of cases) {
    await pool.query(make);
    try {
      expect(await fresh(sql), make).toMatchObject(expected);
    } finally {
      await pool.query(drop);
    }
  }
  await pool.query(`create table public.archive () inherits (public.profile); grant select on public.archive to ${user};
    insert into public.archive select * from public.profile limit 1`);
  const heirs = await fresh('select * from archive');
  await pool.query('drop table public.archive');
  expect(JSON.stringify(heirs)).toContain('••••••');
  expect(JSON.stringify(heirs)).not.toMatch(SECRET);
});

test('merchants are found with their secrets masked, and tables are listed', async () => {
  const asked = { database: zones.database, timeoutMs: 15_000, signal: new AbortController().signal };
  const found = await findMerchants(reader, { ...asked, term: 'HK100001' });
  expect(found).toMatchObject([{ profiles: [{ password_hash: '••••••' }, { password_hash: '••••••' }] }]);
  expect(await reader.listColumns(asked)).toMatchObject({ kind: 'done' });
});
