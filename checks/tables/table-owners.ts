import { globSync } from 'node:fs';
import { floorOf, roomIn } from '../imports/house.ts';
import type { Check } from '../outcome.ts';
import { isTest, readSources } from '../sources.ts';
import { type Owned, PAGE, readMigrations, readPage, type Schema } from './schema.ts';
import { callsIn } from './sql-text.ts';
import { type Statement, statementsOf } from './statements.ts';

/** Rooms whose own work is the database, so that all of their files may speak to it. */
const SQL_ROOMS = ['postgres', 'embedded-postgres', 'queue', 'limits'];

/**
 * A room, or a folder of server/ that is in no wing. Undefined for files directly in server/ or in a wing, which belong to
 * no room and so own nothing.
 */
const roomOf = (path: string): string | undefined => {
  const [, folder, ...rest] = path.split('/');
  return floorOf(path) === undefined ? (rest.length > 0 ? folder : undefined) : roomIn('server', path);
};

const isStore = (path: string): boolean =>
  /(^|\/|-)store\.ts$/.test(path) || SQL_ROOMS.includes(roomOf(path) ?? '');

const pageFaults = (
  what: string,
  listed: Owned[],
  { there, rooms }: { there: Set<string>; rooms: Set<string> },
): string[] => {
  const names = listed.map(({ name }) => name);
  return [
    ...[...there]
      .filter((name) => !names.includes(name))
      .map((name) => `${PAGE}: ${name}: every-table-has-an-owner: the ${what} is missing on the page`),
    ...names
      .filter((name, at) => names.indexOf(name) !== at)
      .map((name) => `${PAGE}: ${name}: one-owner: the ${what} is on the page twice`),
    ...names
      .filter((name) => !there.has(name))
      .map((name) => `${PAGE}: ${name}: table-exists: no migration makes this ${what}`),
    ...listed.flatMap(({ name, owner, others }) =>
      [owner, ...others]
        .filter((room) => !rooms.has(room))
        .map((room) => `${PAGE}: ${name}: owner-is-a-room: there is no room ${room} in server/`),
    ),
  ];
};

/** What is wrong with a statement in this file, each fault as `rule: advice`. */
const statementFaults = (
  path: string,
  { text, uses }: Statement,
  { tables, functions }: Schema,
): string[] => {
  const room = roomOf(path) ?? '';
  const strangers = (names: string[], owned: Owned[], allowed: (one: Owned) => boolean) =>
    owned.filter((one) => names.includes(one.name) && one.owner !== room && !allowed(one));
  const named = (kind: string) => uses.filter((use) => use.kind === kind).map(({ table }) => table);
  const mayRead = ({ others }: Owned) => others.includes(room);
  return [
    ...strangers(named('writes'), tables, () => false).map(
      ({ name, owner }) => `writes ${name}: owner-writes: only ${owner} may write it`,
    ),
    ...strangers(named('reads'), tables, mayRead).map(
      ({ name, owner }) =>
        `reads ${name}: owner-reads: take a fragment of SQL from ${owner}'s index.ts, or name the reader and its reason in ${PAGE}`,
    ),
    ...strangers(callsIn(text), functions, mayRead).map(
      ({ name, owner }) => `calls ${name}(): owner-calls: it belongs to ${owner}`,
    ),
  ];
};

/** The SQL of a file. */
interface Found {
  path: string;
  statements: Statement[];
}

const fileFaults = ({ path, statements }: Found, schema: Schema): string[] => {
  const faults = statements.flatMap((statement) =>
    statementFaults(path, statement, schema).map((fault) => `${path}:${statement.line} ${fault}`),
  );
  const [first] = statements;
  if (first && !isStore(path))
    faults.push(
      `${path}:${first.line} holds SQL: sql-in-stores: SQL belongs in store.ts or a file named …-store.ts`,
    );
  return faults;
};

/** Rooms on the page that do not use what they are listed for. */
const idleReaders = ({ tables, functions }: Schema, found: Found[]): string[] => {
  const uses = (room: string, name: string): boolean =>
    found
      .filter(({ path }) => roomOf(path) === room)
      .flatMap(({ statements }) => statements)
      .some(
        ({ text, uses: used }) => used.some(({ table }) => table === name) || callsIn(text).includes(name),
      );
  return [...tables, ...functions].flatMap(({ name, others }) =>
    others
      .filter((room) => !uses(room, name))
      .map((room) => `${PAGE}: ${name}: reader-reads: ${room} is listed and does not use it`),
  );
};

/** Each table has one room that owns it: only that one writes it, and reading by others is on the page. */
export const checkTableOwners: Check = async (root) => {
  const schema = readPage(root);
  const { tables, functions } = readMigrations(root);
  const rooms = new Set(
    globSync('server/{*,*/*}/', { cwd: root }).map((path) => roomOf(`${path.replaceAll('\\', '/')}/x`) ?? ''),
  );
  const names = new Set(schema.tables.map(({ name }) => name));
  const found = readSources(root, ['server'])
    .filter(({ path }) => !isTest(path) && !path.includes('/testing/'))
    .map((source) => ({
      path: source.path,
      statements: statementsOf(source, (name) => names.has(name)),
    }));
  return {
    note: `${tables.size} tables`,
    faults: [
      ...new Set([
        ...pageFaults('table', schema.tables, { there: tables, rooms }),
        ...pageFaults('function', schema.functions, { there: functions, rooms }),
        ...found.flatMap((file) => fileFaults(file, schema)),
        ...idleReaders(schema, found),
      ]),
    ],
  };
};
