import mysql, { type Connection, type FieldPacket } from 'mysql2';
import type { OpenReader, ReadOutcome, ReadRequest } from '../../office/query/reader.ts';
import { cellOfValue, mysqlCell, PREPARED } from './cell.ts';
import { closeAtOnce, connected, connectionFor, queryRows, socketOf } from './connection.ts';
import { type Ending, openEnding } from './ending.ts';
import { faultPlace } from './fault-place.ts';
import { deniedInWords } from './in-words.ts';
import { isAtWork } from './is-at-work.ts';
import { masked } from './mask.ts';
import { PRIVATE_DATABASES } from './private-names.ts';
import { excessIn, MYSQL_COLUMNS, MYSQL_DATABASES } from './privilege-store.ts';
import { findMysqlSecrets } from './secret-store.ts';
import type { MysqlSecrets } from './secret-use.ts';

/** The database's own limit is a little later than ours, for the case that this process dies. */
const SPARE_MS = 1_000;
const TRUSTED_MS = 60_000;
const LIST_ROWS = 20_000;
const LIST_BYTES = 8_000_000;
/** A statement of ours, which reads no secret. */
const OWN = { own: true };

/** The last statement's own limit; without one, so many rows. The server applies it to the outer query alone. */
const prepare = async (connection: Connection, { version, timeoutMs, rowLimit }: Prepared): Promise<void> => {
  const limitMs = timeoutMs + SPARE_MS;
  const settings = [
    "sql_mode = 'STRICT_TRANS_TABLES'",
    `sql_select_limit = ${rowLimit ?? 'default'}`,
    `lock_wait_timeout = ${Math.ceil(timeoutMs / 1000)}`,
    /mariadb/i.test(version) ? `max_statement_time = ${limitMs / 1000}` : `max_execution_time = ${limitMs}`,
  ];
  await queryRows(connection, `set session ${settings.join(', session ')}`);
  await queryRows(connection, 'start transaction read only');
};

interface Prepared {
  version: string;
  timeoutMs: number;
  rowLimit: number | undefined;
}

/** Of the server, or of the connection. */
type Fault = Error & { errno?: number; sqlMessage?: string; sqlState?: string };

const failureOf = (error: unknown, sql = ''): ReadOutcome => {
  const { errno, sqlMessage, sqlState, message } = error as Fault;
  // Of MariaDB and of MySQL: the server's own limit.
  if (errno === 1969 || errno === 3024) return { kind: 'timed_out' };
  const told = deniedInWords({ errno, message: sqlMessage ?? message });
  const lost = sqlState === undefined && { lost: true };
  return { kind: 'failed', message: told, position: faultPlace(told, sql), ...lost };
};

const runOn = async (
  connection: Connection,
  request: ReadRequest & { secrets: MysqlSecrets | undefined; secretNames: Set<string> },
  ending: Ending,
): Promise<ReadOutcome> => {
  const { sql, values, mostRows, mostCells = Number.POSITIVE_INFINITY, mostBytes } = request;
  const { secrets, secretNames } = request;
  const rows: (string | null)[][] = [];
  let fields: FieldPacket[] = [];
  let bytes = 0;
  const stream = socketOf(connection);
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) ending.now('full');
  };
  stream.on('data', count);
  try {
    await new Promise<void>((resolve, reject) => {
      const query = values
        ? connection.execute({ sql, values, rowsAsArray: true, ...PREPARED })
        : connection.query({ sql, rowsAsArray: true, typeCast: mysqlCell });
      query.on('fields', (given: FieldPacket[]) => {
        fields = given ?? fields;
      });
      query.on('result', (row: unknown) => {
        if (!Array.isArray(row)) return;
        const hasRoom = rows.length < mostRows && rows.length * fields.length < mostCells;
        if (hasRoom) rows.push(values ? row.map(cellOfValue) : (row as (string | null)[]));
        else ending.now('full');
      });
      query.on('error', reject);
      query.on('end', () => resolve());
      stream.once('close', () => reject(new Error('the connection to the database ended')));
    });
  } catch (error) {
    if (ending.why() !== 'full') return ending.outcome() ?? failureOf(error, sql);
  } finally {
    stream.off('data', count);
  }
  const over = ending.outcome();
  if (over) return over;
  const columns = fields.map(({ name, columnType }) => ({
    name,
    type: (mysql.Types as unknown as Record<number, string>)[columnType ?? -1]?.toLowerCase() ?? '',
  }));
  return {
    kind: 'done',
    columns,
    rows: secrets ? masked(rows, fields, secrets, secretNames) : rows,
    truncated: ending.why() === 'full',
  };
};

const NO_NAMES = new Set<string>();

/** MySQL and MariaDB, by a user who can only read: one who can do more is refused. */
export const openMysqlReader: OpenReader = (options, judging) => {
  const { mask, secret } = options;
  const trusted = new Map<string, { untilMs: number; secrets: MysqlSecrets | undefined }>();

  /** What the user may do is known, or why nothing is run. */
  const trust = async (
    connection: Connection,
    database: string,
  ): Promise<string | MysqlSecrets | undefined> => {
    const known = trusted.get(database);
    if (known && known.untilMs > Date.now()) return known.secrets;
    const asking = (sql: string, values?: string[]) => queryRows(connection, sql, values);
    const excess = await excessIn(asking, mask === 'program' ? [] : secret);
    if (excess) return excess;
    const secrets =
      mask === 'program' && secret.length > 0 ? await findMysqlSecrets(asking, secret) : undefined;
    if (typeof secrets !== 'string') trusted.set(database, { untilMs: Date.now() + TRUSTED_MS, secrets });
    return secrets;
  };

  const read = async (request: ReadRequest, { own = false } = {}): Promise<ReadOutcome> => {
    const { database, timeoutMs, signal } = request;
    if (signal.aborted) return { kind: 'cancelled' };
    if (PRIVATE_DATABASES.has(database.toLowerCase()))
      return { kind: 'unsafe', message: `the database ${database} shows what others ask` };
    const connection = connectionFor(options, database || undefined);
    const ending = openEnding(options, connection, request);
    let backend: string | undefined;
    const seen = (outcome: ReadOutcome): ReadOutcome =>
      backend !== undefined && socketOf(connection).destroyed ? { ...outcome, cut: backend } : outcome;
    try {
      await connected(connection);
      const [[version = '', thread = ''] = []] = await queryRows(
        connection,
        'select version(), connection_id()',
      );
      backend = `${thread} ${Date.now()}`;
      await request.onBackend?.(backend);
      const secrets = await trust(connection, database);
      // A look-up that was cut off says nothing of the user.
      if (typeof secrets === 'string') return ending.outcome() ?? { kind: 'unsafe', message: secrets };
      const use = secrets && !own ? await judging.trace(request.sql, secrets) : undefined;
      if (use?.kind === 'untraceable') return use;
      await prepare(connection, { version, timeoutMs, rowLimit: request.rowLimit });
      const asked = { ...request, secrets, secretNames: use?.names ?? NO_NAMES };
      return seen(ending.outcome() ?? (await runOn(connection, asked, ending)));
    } catch (error) {
      return seen(ending.outcome() ?? failureOf(error));
    } finally {
      ending.forget();
      closeAtOnce(connection);
    }
  };

  const list = { mostRows: LIST_ROWS, mostBytes: LIST_BYTES };
  return {
    judge: judging.judge,
    read: (request) => read(request),
    listDatabases: (request) => read({ ...list, ...request, database: '', sql: MYSQL_DATABASES }, OWN),
    listColumns: (request) => read({ ...list, ...request, sql: MYSQL_COLUMNS }, OWN),
    isAtWork: ({ backend }) => isAtWork(options, backend),
    placeholder: () => '?',
  };
};
