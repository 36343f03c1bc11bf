import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { dropFact, findFact } from '../../ground/installation/index.ts';
import { type Db, openDatabase } from '../../ground/postgres/index.ts';
import type { OwnServer } from './reader.ts';
import type { Zone } from './zones.ts';

/** It reads the masked views of the demo's databases, and has no other privilege. */
const USER = 'posthorn_query';
const SCRIPT = new URL('./demo/merchants.sql', import.meta.url);
const MARIADB_SCRIPT = new URL('./demo/merchants-mariadb.sql', import.meta.url);

const DEMOS = [
  {
    id: 1,
    zone: 'HK',
    database: 'merchant_hk',
    lower: 'hk',
    prefix: 'HK',
    count: '320',
    calling: '+852',
    suffix: 'Limited',
    places:
      "['Mong Kok', 'Central', 'Sha Tin', 'Kwun Tong', 'Tsuen Wan', 'Wan Chai', 'Tai Po', 'Aberdeen', 'Yuen Long', 'Sai Kung', 'North Point', 'Tuen Mun']",
    countries: "['HK', 'HK', 'HK', 'CN']",
    currencies: "['HKD', 'HKD', 'HKD', 'CNY']",
  },
  {
    id: 11,
    zone: 'Oversea QA',
    database: 'merchant_oversea_qa',
    lower: 'qa',
    prefix: 'QA',
    count: '120',
    calling: '+65',
    suffix: 'Pte Ltd',
    places:
      "['Orchard', 'Makati', 'Bedok', 'Cebu', 'Riverside', 'Davao', 'Jurong', 'Siem Reap', 'Katong', 'Quezon', 'Novena', 'Brooklyn']",
    countries: "['SG', 'PH', 'KH', 'US']",
    currencies: "['SGD', 'PHP', 'USD', 'USD']",
  },
] as const;

const FUNCTIONS = [
  'pg_terminate_backend(int, bigint)',
  'pg_cancel_backend(int)',
  'set_config(text, text, boolean)',
  'query_to_xml(text, boolean, boolean, text)',
  'query_to_xmlschema(text, boolean, boolean, text)',
  'query_to_xml_and_xmlschema(text, boolean, boolean, text)',
  'cursor_to_xml(refcursor, int, boolean, boolean, text)',
  'ts_stat(text)',
  'ts_stat(text, text)',
  'ts_rewrite(tsquery, text)',
  'pg_notify(text, text)',
  'pg_advisory_lock(bigint)',
  'pg_advisory_lock(int, int)',
  'pg_sleep(double precision)',
  'pg_sleep_for(interval)',
  'pg_sleep_until(timestamptz)',
];

/** Only the schema of the views; in this database even the functions of FORBIDDEN can't be called. */
const grantsTo = (user: string): string => `
  revoke all on schema public from public;
  ${FUNCTIONS.map((name) => `revoke execute on function pg_catalog.${name} from public;`).join('\n')}
  grant usage on schema masked to ${user};
  grant select on all tables in schema masked to ${user};`;

const otherDatabase = (url: string, database: string): string => {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
};

const SECRETS = ['profile.password_hash', 'app.api_token', 'app.webhook_secret'];

const fill = (template: string, values: Record<string, string | number>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));

interface DemoPlace {
  url: string;
  /** Tests share one server: each of them has its own user and databases. */
  mark?: string | undefined;
}

/** Says of a database that all of it is there. */
const MADE = 'the merchants of the query tool';

const isMade = async (db: Db, database: string): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_database
    where datname = ${database} and shobj_description(oid, 'pg_database') = ${MADE}`.execute(db);
  return rows.length === 1;
};

const makeDatabase = async (
  db: Db,
  { url, mark = '' }: DemoPlace,
  demo: (typeof DEMOS)[number],
): Promise<void> => {
  const database = demo.database + mark;
  const user = USER + mark;
  // Made again after a crash halfway, or by a version that made other ones.
  if (await isMade(db, database)) return;
  await sql`drop database if exists ${sql.id(database)}`.execute(db);
  await sql`create database ${sql.id(database)}`.execute(db);
  const inside = openDatabase({ url: otherDatabase(url, database), max: 1, onError: () => {} });
  try {
    await inside.pool.query(fill(await readFile(SCRIPT, 'utf8'), demo) + grantsTo(user));
    await inside.pool.query(`
      revoke all on database ${database} from public;
      grant connect on database ${database} to ${user};
      alter role ${user} in database ${database} set search_path = masked`);
  } finally {
    await inside.close();
  }
  await sql`comment on database ${sql.id(database)} is ${sql.lit(MADE)}`.execute(db);
};

/** Makes the databases of the zones that are built in, where they are not there already. */
export const makeDemoZones = async (db: Db, place: DemoPlace): Promise<void> => {
  const user = USER + (place.mark ?? '');
  await sql`do $$ begin
    if not exists (select from pg_roles where rolname = ${sql.lit(user)}) then
      create role ${sql.id(user)} login noinherit connection limit 20;
    end if;
  end $$`.execute(db);
  // A sort or a join of one statement must not fill the disk; only a superuser can set this.
  await sql`alter role ${sql.id(user)} set temp_file_limit = '256MB'`.execute(db);
  // The program's own data is out of reach, as is everything that a server has by itself.
  for (const name of ['posthorn', 'postgres', 'template1'])
    await sql`revoke all on database ${sql.id(name)} from public`.execute(db);
  for (const demo of DEMOS) await makeDatabase(db, place, demo);
};

/** They were once made beside the program's own data, by the same names. */
export const dropFormerDemoZones = async (db: Db): Promise<void> => {
  if (!(await findFact(db, 'query_demo'))) return;
  for (const { database } of DEMOS)
    await sql`drop database if exists ${sql.id(database)} with (force)`.execute(db);
  await sql`drop role if exists ${sql.id(USER)}`.execute(db);
  await dropFact(db, 'query_demo');
};

/** The zones that the program brings, on a server which only they use. */
export const demoZones = ({ url, mark = '' }: DemoPlace, own?: OwnServer): Zone[] => {
  const { searchParams, port } = new URL(url);
  return DEMOS.map(({ id, zone, database }) => ({
    id,
    name: zone,
    engine: 'postgres',
    host: searchParams.get('host') ?? '',
    port: Number(port) || undefined,
    user: USER + mark,
    password: undefined,
    tls: false,
    databases: [database + mark],
    secret: SECRETS.map((column) => `${database}${mark}.public.${column}`),
    mask: 'views',
    own,
  }));
};

interface MariadbPlace {
  /** Of one who may make databases and users. */
  url: string;
  /** Of the user who reads. */
  password: string;
}

/** What a list of the demo is for MariaDB, which has no arrays. */
const listOf = (array: string): string => array.slice(1, -1);

/** The second zone on a MariaDB, and what makes its databases and its user there. */
export const mariadbDemo = async ({
  url,
  password,
}: MariadbPlace): Promise<{ zone: Zone; script: string }> => {
  const [, demo] = DEMOS;
  const { hostname, port, searchParams } = new URL(url);
  const vault = `${demo.database}_vault`;
  const script = fill(await readFile(MARIADB_SCRIPT, 'utf8'), {
    ...demo,
    vault,
    user: USER,
    password,
    placeList: listOf(demo.places),
    countryList: listOf(demo.countries),
    currencyList: listOf(demo.currencies),
  });
  const zone: Zone = {
    id: demo.id,
    name: demo.zone,
    engine: 'mysql',
    host: searchParams.get('socketPath') ?? hostname,
    port: Number(port) || undefined,
    user: USER,
    password,
    tls: false,
    databases: [demo.database],
    secret: SECRETS.map((column) => `${vault}.${column}`),
    mask: 'views',
  };
  return { zone, script };
};
