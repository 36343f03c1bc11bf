import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestJudging } from '../../office/query/testing/judging.ts';
import { findMerchants } from '../../office/query/testing/merchants.ts';
import { openMysqlReader } from './index.ts';
import { startMariadb, WHY_NO_MARIADB } from './testing/mariadb.ts';

/** Can read the tables themselves, with all that is secret in them. */
const USER = "posthorn_all@'%'";
const MAKE = [
  'create table merchant_vault.merchant as select * from merchant_qa.merchant',
  'create table merchant_vault.relation as select * from merchant_qa.relation',
  'create table merchant_vault.numbers as select * from merchant_qa.numbers limit 3',
  'alter table merchant_vault.app add column webhook_secret text',
  "update merchant_vault.app set webhook_secret = 'whsec_secret' where id in ('A1', 'A2')",
  `create user ${USER} identified by 'a secret'`,
  `grant select, show view on merchant_vault.* to ${USER}`,
];
const SECRET = /argon2id|tok_|whsec_/;

const MASKED = [
  'select * from profile',
  'select p.* from profile p',
  'select merchant_vault.profile.* from merchant_vault.profile',
  '(select * from profile)',
  'select password_hash from profile',
  'select PASSWORD_HASH from profile',
  'select `password_hash` from `profile`',
  'select p.password_hash as x, id from profile as p order by id',
  'select password_hash x from profile',
  "select password_hash 'x' from profile",
  'select password_hash as `x` from profile order by merchant_id limit 3',
  'select merchant_vault.profile.password_hash from merchant_vault.profile',
  "select password_hash from merchant_vault.profile where merchant_id = 'QA100001'",
  'select * from profile p join app a on a.merchant_id = p.merchant_id order by p.email',
  'select a.*, p.email from app a, profile p where a.merchant_id = p.merchant_id order by a.name, p.email',
  'with few as (select id from merchant limit 3) select p.* from profile p join few on few.id = p.merchant_id',
  'select api_token, webhook_secret, count(*) over () from app',
  'select id, 2 * 3, api_token, length(name) * 2 from app',
  'select `select`.* from app `select`',
];

const REFUSED = [
  'select 1 as offset, p.* from profile p order by offset, 7',
  'select processlist_info from performance_schema.threads',
  'select upper(password_hash) from profile',
  "select concat(password_hash, '') from profile",
  'select cast(password_hash as char) from profile',
  'select binary password_hash from profile',
  'select (password_hash) from profile',
  'select password_hash collate utf8mb4_bin from profile',
  'select all password_hash from profile',
  'select sql_no_cache * from profile',
  'select all * from profile',
  "select id from profile where password_hash like '$argon2id%'",
  "select id from profile where `password_hash` > '$'",
  "select id from profile where PASSWORD_HASH > '$'",
  'select id from profile order by password_hash',
  'select id, password_hash from profile order by 2',
  'select id, password_hash from profile order by (2)',
  'select id, password_hash from profile order by +2',
  'select password_hash as x from profile order by x',
  "select password_hash as x from profile having x like '$a%'",
  "select password_hash 'x' from profile having x like '$a%'",
  "select password_hash as ' x' from profile",
  "select password_hash from profile having password_hash like '$a%'",
  'select * from profile order by 6',
  'select distinct password_hash from profile',
  'select distinct * from profile',
  'select password_hash, count(*) from profile group by password_hash',
  'select password_hash from profile group by 1',
  'select *, count(*) from profile group by id',
  'select max(password_hash) from profile',
  'select group_concat(password_hash) from profile',
  'select json_arrayagg(password_hash) from profile',
  "select json_object('a', password_hash) from profile",
  'select count(distinct password_hash) from profile',
  "select regexp_replace(password_hash, '^.', '') from profile",
  'select @x := password_hash from profile',
  'select (select password_hash from profile limit 1)',
  'select x from (select password_hash as x from profile) t',
  'select * from (select password_hash as x from profile) t',
  'select * from (select * from profile) t',
  'with t as (select * from profile) select * from t',
  'with t (a, b, c, d, e, f) as (select * from profile) select f from t',
  'with t (h) as (select password_hash from profile) select upper(h) from t',
  'with recursive t (h) as (select password_hash from profile union select h from t) select h from t',
  'select password_hash from profile union select api_token from app',
  'select id from profile union all select password_hash from profile',
  'select * from profile union all select * from profile',
  '(select password_hash from profile) except (select api_token from app)',
  '(select password_hash from profile limit 1) union (select 1)',
  'select 1 from numbers where exists (select * from profile)',
  "select id from profile p where p.id in (select id from profile where password_hash > '$')",
  "select id from profile where (id, password_hash) > ('P1', '$')",
  "select 1 from numbers where (select * from profile limit 1) > (1, 2, 3, 4, 5, '$')",
  'select p.id from profile p join profile q using (password_hash)',
  'select p.id from profile p natural join profile q',
  'select p.id from profile p join profile q on p.password_hash = q.password_hash',
  'select case when password_hash is null then 1 end from profile',
  'select password_hash is null from profile',
  "select password_hash = '$' from profile",
  'select coalesce(api_token, webhook_secret) from app',
  "select sum(api_token > 't') from app",
  'select rank() over (order by api_token) from app',
  'select rank() over w from app window w as (partition by api_token)',
  "explain select id from profile where password_hash > '$'",
  'analyze select upper(password_hash) from profile',
  "show tables where (select password_hash from profile limit 1) like '$%'",
  'values ((select api_token from app limit 1))',
  "select api_to\u212Aen as x from app where api_to\u212Aen > 't'",
  'select min_value from mysql.column_stats',
  'select * from information_schema.column_statistics',
  'select argument from mysql.general_log',
];

const judging = openTestJudging();
afterAll(judging.close);

describe.skipIf(WHY_NO_MARIADB)(`MariaDB${WHY_NO_MARIADB ? `: ${WHY_NO_MARIADB}` : ''}`, () => {
  let server: Awaited<ReturnType<typeof startMariadb>>;
  let reader: ReturnType<typeof openReader>;
  const openReader = () =>
    openMysqlReader(
      {
        ...server.options,
        user: 'posthorn_all',
        databases: ['merchant_vault'],
        secret: [...server.options.secret, 'merchant_vault.app.webhook_secret'],
        mask: 'program',
      },
      judging.of('mysql'),
    );
  beforeAll(async () => {
    server = await startMariadb();
    for (const sql of MAKE) await server.root.query(sql);
    reader = openReader();
  }, 120_000);
  afterAll(() => server?.stop());

  const asked = { database: 'merchant_vault', timeoutMs: 15_000, signal: new AbortController().signal };
  const read = (sql: string, using = reader) =>
    using.read({ ...asked, sql, mostRows: 1_000, mostBytes: 8_000_000 });

  test.each(MASKED)('%s comes with its secrets masked', async (sql) => {
    expect(await reader.judge(sql, 1_000)).toMatchObject({ kind: 'reads' });
    const outcome = await read(sql);
    expect(outcome).toMatchObject({ kind: 'done' });
    const told = JSON.stringify(outcome);
    expect(told).not.toMatch(SECRET);
    expect(told).toContain('••••••');
  });

  test.each(REFUSED)('%s is refused, because the secret in it could not be traced', async (sql) => {
    expect(await read(sql)).toMatchObject({ kind: 'untraceable', what: expect.any(String) });
  });

  test('what is null stays null, and other columns and tables are as they are', async () => {
    const hooks = await read('select webhook_secret from app');
    expect(hooks.kind === 'done' && new Set(hooks.rows.flat())).toEqual(new Set([null, '••••••']));
    for (const [sql, rows] of [
      ["select contact_name, email from profile where id = 'P7'", [['Amy Lau', 'amy7@example.com']]],
      ['select count(*), max(length(email)) > 5 from profile', [['50', '1']]],
      ['select platform, count(*) from app group by 1 order by 2 desc, 1', [['web', '50']]],
      ["select exists (select 1 from profile where id = 'P7')", [['1']]],
      ['select x.email from (select email from profile order by id limit 1) x', [['amy1@example.com']]],
      ['select * from (select id, email from profile order by id limit 1) x', [['P1', 'amy1@example.com']]],
      ['select distinct label from numbers order by 1 limit 1', [['label 1']]],
    ] as const)
      expect(await read(sql), sql).toMatchObject({ kind: 'done', rows });
    for (const sql of ['describe profile', 'show create table profile', 'explain select * from profile'])
      expect(await read(sql), sql).toMatchObject({ kind: 'done' });
  });

  test('what would read a secret unseen makes the zone unsafe', async () => {
    const fresh = (sql = 'select 1') => read(sql, openReader());
    expect(await fresh()).toMatchObject({ kind: 'done' });
    const cases: [string[], string[], string][] = [
      [
        ['create view merchant_vault.shown as select password_hash as x from merchant_vault.profile'],
        ['drop view merchant_vault.shown'],
        'the view merchant_vault.shown',
      ],
      [
        [
          'create database hidden',
          'create view hidden.inner_view as select password_hash as x from merchant_vault.profile',
          'create view merchant_vault.outer_view as select x from hidden.inner_view',
        ],
        ['drop view merchant_vault.outer_view', 'drop database hidden'],
        'the view merchant_vault.outer_view',
      ],
      [
        [
          "alter table merchant_vault.app add column twice text generated always as (concat(api_token, '')) stored",
        ],
        ['alter table merchant_vault.app drop column twice'],
        'generated column in merchant_vault.app',
      ],
      [
        ['alter table merchant_vault.profile rename column password_hash to hash'],
        ['alter table merchant_vault.profile rename column hash to password_hash'],
        'merchant_vault.profile.password_hash is not there',
      ],
      [
        [`grant insert on merchant_vault.profile to ${USER}`],
        [`revoke insert on merchant_vault.profile from ${USER}`],
        'INSERT',
      ],
      [
        [`grant execute on merchant_vault.* to ${USER}`],
        [`revoke execute on merchant_vault.* from ${USER}`],
        'EXECUTE',
      ],
    ];
    for (const [make, undo, reason] of cases) {
      for (const sql of make) await server.root.query(sql);
      const outcome = await fresh();
      for (const sql of undo) await server.root.query(sql);
      expect(outcome, make.join('; ')).toEqual({ kind: 'unsafe', message: expect.stringContaining(reason) });
    }
    await server.root.query('create view merchant_vault.fine as select n from merchant_vault.numbers');
    const harmless = await fresh('select * from fine');
    await server.root.query('drop view merchant_vault.fine');
    expect(harmless).toMatchObject({ kind: 'done' });
  });

  test('merchants are found with their secrets masked, and tables are listed', async () => {
    const found = await findMerchants(reader, { ...asked, term: 'QA100007' });
    expect(found).toMatchObject([
      { profiles: [{ email: 'amy7@example.com', password_hash: '••••••' }], apps: [{ api_token: '••••••' }] },
    ]);
    expect(await reader.listColumns(asked)).toMatchObject({ kind: 'done' });
  });
});
