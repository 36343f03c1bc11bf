import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree } from '../planted-tree.ts';
import { checkTableOwners } from './table-owners.ts';

test('a sound house passes', async () => {
  expect((await checkTableOwners(plantTree())).faults).toEqual([]);
});

test('this house passes', async () => {
  expect((await checkTableOwners(join(import.meta.dirname, '../..'))).faults).toEqual([]);
});

const PAGE = 'docs/SCHEMA.md';
const MESSAGES = '## messages\n| `messages` | | texts |\n| `make_month()` | | a month |\n';
const WALLET = '## wallet\n| `wallets` | | money |\n| `paid()` | | a sum |\n';
const STORE = 'server/fleet/devices/store.ts';
const MIGRATION = 'server/migrations/0003_x.sql';
/** A later migration gives the function of messages another body. */
const functionOf = (body: string) => `create or replace function make_month() returns void ${body};`;

const planted: [rule: string, what: string, path: string, text: string][] = [
  ['every-table-has-an-owner', 'a table is not on the page', PAGE, MESSAGES],
  [
    'every-table-has-an-owner',
    'a function is not on the page',
    PAGE,
    MESSAGES.replace('make_month', 'x') + WALLET,
  ],
  ['every-table-has-an-owner', 'a migration makes a table', MIGRATION, 'create table x (id int);'],
  ['table-exists', 'the page has a table that was dropped', PAGE, `${MESSAGES}${WALLET}| \`gone\` | | |`],
  ['table-exists', 'a migration drops a table', MIGRATION, 'drop table if exists wallets;'],
  ['table-exists', 'the page has the name of before', MIGRATION, 'alter table wallets rename to w;'],
  ['one-owner', 'a table has two owners', PAGE, `${MESSAGES}${WALLET}## http\n| \`wallets\` | | money |`],
  ['owner-is-a-room', 'the owner is no folder', PAGE, `${MESSAGES}${WALLET.replace('wallet\n', 'purse\n')}`],
  ['owner-is-a-room', 'a reader is no folder', PAGE, MESSAGES + WALLET.replace('| |', '| `purse` |')],
  [
    'reader-reads',
    'a reader does not read',
    PAGE,
    MESSAGES + WALLET.replace('| |', '| `messages`: its reason |'),
  ],
  ['owner-writes', 'another room inserts', STORE, 'sql`insert into wallets (id) values (1)`;'],
  ['owner-writes', 'another room updates', STORE, 'sql`update only wallets set id = 1`;'],
  ['owner-writes', 'another room deletes', STORE, 'sql<Row>`delete from wallets`;'],
  ['owner-writes', 'another room truncates', STORE, 'sql`truncate messages, wallets`;'],
  ['owner-writes', 'another room copies', STORE, 'copyFrom(`copy wallets (id) from stdin`);'],
  ['owner-writes', 'another room merges', STORE, 'sql`merge into wallets using x on true`;'],
  [
    'owner-writes',
    'a reader writes',
    'server/customer/wallet/x-store.ts',
    'sql`update messages set id = 1`;',
  ],
  [
    'owner-writes',
    'a CTE writes',
    STORE,
    'sql`with x as (insert into wallets select 1 returning id) select from x`;',
  ],
  ['owner-writes', 'Kysely inserts', STORE, "db.insertInto('wallets').values({});"],
  ['owner-writes', 'Kysely updates', STORE, "db.updateTable('wallets as w').set({});"],
  ['owner-writes', 'Kysely deletes', STORE, "db.deleteFrom('wallets');"],
  ['owner-writes', "another room names a table's part", STORE, `sql.table(\`wallets_\${month}\`);`],
  [
    'owner-writes',
    'a name is computed',
    STORE,
    `const of = (table: 'wallets') => sql.table(\`\${table}_1\`);`,
  ],
  ['owner-writes', 'a client is given SQL', STORE, "pool.query('insert into wallets values ($1)', [1]);"],
  ['owner-reads', 'another room reads', STORE, 'sql`select id from wallets`;'],
  ['owner-reads', 'a reader of one table reads another', STORE, 'sql`select from messages`;'],
  [
    'owner-reads',
    'a list of tables',
    STORE,
    `sql\`select from unnest(\${ids}) as given (id), wallets w where true\`;`,
  ],
  ['owner-reads', 'a join', STORE, 'sql`select from x left join lateral (select from wallets) w on true`;'],
  [
    'owner-reads',
    'what is removed by another table',
    STORE,
    'sql`delete from x using wallets w where w.id = x.id`;',
  ],
  [
    'owner-reads',
    'a CTE that bears the name of its table',
    STORE,
    'sql`with wallets as (select from wallets) select`;',
  ],
  ['owner-reads', 'a part of a statement', STORE, `count(sql\`wallets w where w.id = \${id}\`);`],
  ['owner-reads', 'a raw part', STORE, "sql.raw('select from wallets');"],
  ['owner-reads', 'Kysely selects', STORE, "db.selectFrom(['x', 'wallets as w']);"],
  ['owner-reads', 'Kysely joins', STORE, "db.selectFrom('x').innerJoin('wallets', 'id', 'x.id');"],
  ['owner-reads', 'no room reads', 'server/x.ts', 'sql`select from wallets`;'],
  ['owner-calls', "another room calls a table's function", STORE, 'sql`select make_month()`;'],
  [
    'owner-writes',
    'a function writes',
    MIGRATION,
    functionOf('language plpgsql as $$\nbegin\n  update wallets set id = 1;\nend $$'),
  ],
  [
    'owner-reads',
    'a function reads',
    MIGRATION,
    functionOf("language sql as $x$ select from messages; select 'x;' from wallets; $x$"),
  ],
  [
    'owner-reads',
    'a function without a quoted body reads',
    MIGRATION,
    functionOf('begin atomic select from wallets; end'),
  ],
  [
    'owner-reads',
    'a function computes the names of tables',
    MIGRATION,
    functionOf("language plpgsql as $$ begin execute format('drop table %I_1', 'wallets'); end $$"),
  ],
  [
    'owner-calls',
    'a function calls that of another room',
    MIGRATION,
    functionOf('language sql as $$ select paid() $$'),
  ],
  [
    'owner-calls',
    "a trigger calls another room's function",
    MIGRATION,
    'create trigger paid after insert on wallets for each statement execute function make_month();',
  ],
  ['sql-in-stores', 'a verb holds SQL', 'server/customer/wallet/x.ts', 'sql`select 1`;'],
  ['sql-in-stores', 'a verb builds a query', 'server/customer/wallet/x.ts', "db.selectFrom('wallets');"],
  ['sql-in-stores', 'a verb hands SQL to a client', 'server/customer/wallet/x.ts', "pool.query('select 1');"],
];

test.each(planted)('%s: %s', async (rule, _, path, text) => {
  const { faults } = await checkTableOwners(plantTree({ [path]: text }));
  expect(faults).toContainEqual(expect.stringContaining(`: ${rule}: `));
});

const allowed: [what: string, path: string, text: string][] = [
  ['a CTE bears the name of a table', STORE, 'sql`with wallets as (select 1) select from wallets`;'],
  [
    'a column bears the name of a table',
    STORE,
    'sql`select x.wallets, count(wallets) from x where wallets = 1`;',
  ],
  ['a quoted text names a table', STORE, "sql`select 'taken from wallets' from x`;"],
  ['a comment names a table', STORE, 'sql`select 1 -- from wallets\n from x`;'],
  [
    'prose names a table',
    'server/fleet/devices/x.ts',
    "log('choose from wallets, update wallets or select one');",
  ],
  ['a difference is no source', STORE, 'sql`select from x where id is distinct from wallets`;'],
  [
    'a function reads what belongs to its room',
    MIGRATION,
    functionOf(
      'language plpgsql as $$ begin\n-- from wallets\ninsert into messages select from messages; end $$',
    ),
  ],
  [
    'a function was changed that read',
    MIGRATION,
    `${functionOf('language sql as $$ select from wallets $$')}\n${functionOf('language sql as $$ select 1 $$')}`,
  ],
  [
    'a trigger was dropped',
    MIGRATION,
    'create trigger paid after insert on wallets execute function make_month();\ndrop trigger if exists paid on wallets;',
  ],
  [
    "a trigger calls its room's function",
    MIGRATION,
    'create trigger made after insert on messages execute function make_month();',
  ],
  ['a test reads any table', 'server/fleet/devices/x.test.ts', 'sql`select from wallets`;'],
  ['what tests share reads any table', 'server/fleet/devices/testing/x.ts', 'sql`select from wallets`;'],
];

test.each(allowed)('allowed: %s', async (_, path, text) => {
  expect((await checkTableOwners(plantTree({ [path]: text }))).faults).toEqual([]);
});
