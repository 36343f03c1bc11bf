import { globSync } from 'node:fs';
import { floorOf, roomIn } from '../imports/house.ts';
import type { Check } from '../outcome.ts';
import { isTest, readSources } from '../sources.ts';
import { type Migrated, type Owned, PAGE, readMigrations, readPage, type Schema } from './schema.ts';
import { callsIn, tableUses } from './sql-text.ts';
import { type IsTable, type Statement, statementsOf } from './statements.ts';

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
  { there, rooms }: { there: Set<string> | Map<string, unknown>; rooms: Set<string> },
): string[] => {
  const names = listed.map(({ name }) => name);
  return [
    ...[...there.keys()]
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

/** What is wrong with a statement of this room, each fault as `rule: advice`. */
const statementFaults = (
  room: string,
  { text, uses }: Statement,
  { tables, functions }: Schema,
): string[] => {
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

/** SQL, and the room whose it is: '' for none. */
interface Found {
  path: string;
  room: string;
  statements: Statement[];
}

/** The functions that the database keeps, each its owner's, and the triggers, each of the owner of its table. */
const foundIn = ({ functions, triggers }: Migrated, schema: Schema, isTable: IsTable): Found[] => {
  const ownerOf = (owned: Owned[], name: string) => owned.find((one) => one.name === name)?.owner;
  const functionUses = (text: string) => {
    // Where a function computes a table's name, every text that is the name of one may be it.
    const computed = /\bexecute\s/i.test(text)
      ? [...text.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)
      : [];
    return [
      ...tableUses(text, isTable),
      ...computed.filter(isTable).map((table) => ({ table, kind: 'reads' as const })),
    ];
  };
  return [
    ...[...functions].map(([name, { path, line, text }]) => ({
      path,
      room: ownerOf(schema.functions, name),
      statements: [{ line, text, uses: functionUses(text) }],
    })),
    ...[...triggers.values()].map(({ path, line, table, calls }) => ({
      path,
      room: ownerOf(schema.tables, table),
      statements: [{ line, text: `${calls}()`, uses: [] }],
    })),
    // Of those without an owner it is said that the page lacks them.
  ].flatMap(({ room, ...found }) => (room === undefined ? [] : [{ ...found, room }]));
};

const faultsOf = ({ path, room, statements }: Found, schema: Schema): string[] =>
  statements.flatMap((statement) =>
    statementFaults(room, statement, schema).map((fault) => `${path}:${statement.line} ${fault}`),
  );

const outsideStores = ({ path, statements: [first] }: Found): string[] =>
  first && !isStore(path)
    ? [`${path}:${first.line} holds SQL: sql-in-stores: SQL belongs in store.ts or a file named …-store.ts`]
    : [];

/** Rooms on the page that do not use what they are listed for. */
const idleReaders = ({ tables, functions }: Schema, found: Found[]): string[] => {
  const uses = (room: string, name: string): boolean =>
    found
      .filter((one) => one.room === room)
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
  const migrated = readMigrations(root);
  const { tables, functions } = migrated;
  const rooms = new Set(
    globSync('server/{*,*/*}/', { cwd: root }).map((path) => roomOf(`${path.replaceAll('\\', '/')}/x`) ?? ''),
  );
  const names = new Set(schema.tables.map(({ name }) => name));
  const isTable: IsTable = (name) => names.has(name);
  const inFiles = readSources(root, ['server'])
    .filter(({ path }) => !isTest(path) && !path.includes('/testing/'))
    .map((source) => ({
      path: source.path,
      room: roomOf(source.path) ?? '',
      statements: statementsOf(source, isTable),
    }));
  const found = [...inFiles, ...foundIn(migrated, schema, isTable)];
  return {
    note: `${tables.size} tables`,
    faults: [
      ...new Set([
        ...pageFaults('table', schema.tables, { there: tables, rooms }),
        ...pageFaults('function', schema.functions, { there: functions, rooms }),
        ...found.flatMap((one) => faultsOf(one, schema)),
        ...inFiles.flatMap(outsideStores),
        ...idleReaders(schema, found),
      ]),
    ],
  };
};
