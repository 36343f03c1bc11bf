import { setTimeout as sleep } from 'node:timers/promises';
import mysql, { type Connection, type FieldPacket, type QueryError } from 'mysql2';
import type { OpenReader, ReaderOptions, ReadOutcome, ReadRequest } from '../../query/reader.ts';
import { cellOf, cellOfValue, PREPARED } from './cell.ts';
import { faultPlace } from './fault-place.ts';
import { judge } from './judge.ts';
import { masked } from './mask.ts';
import { COLUMNS, DATABASES, excessIn } from './privilege-store.ts';
import { findSecrets } from './secret-store.ts';
import { type Secrets, traceSecrets } from './secret-use.ts';

const CONNECT_MS = 5_000;
/** How long a killed statement may take to end before its connection is cut. */
const CANCEL_MS = 500;
/** The database's own limit is a little later than ours, for the case that this process dies. */
const SPARE_MS = 1_000;
const TRUSTED_MS = 60_000;
const LIST_ROWS = 20_000;
const LIST_BYTES = 8_000_000;
/** A statement of ours, which reads no secret. */
const OWN = { own: true };

type Ending = 'signal' | 'timeout' | 'full';

const connect = (options: ReaderOptions, database: string | undefined): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const connection = mysql.createConnection({
      host: options.host.startsWith('/') ? undefined : options.host,
      socketPath: options.host.startsWith('/') ? options.host : undefined,
      port: options.port ?? 3306,
      user: options.user,
      password: options.password,
      database,
      ...(options.tls && { ssl: {} }),
      charset: 'utf8mb4_general_ci',
      connectTimeout: CONNECT_MS,
      // The server itself refuses a second statement.
      multipleStatements: false,
    });
    connection.on('error', () => {});
    connection.connect((error) => (error ? reject(error) : resolve(connection)));
  });

const ask = (connection: Connection, sql: string, values: string[] = []): Promise<string[][]> =>
  new Promise((resolve, reject) => {
    connection.query({ sql, values, rowsAsArray: true }, (error, rows) =>
      error ? reject(error) : resolve(rows as unknown as string[][]),
    );
  });

/** The last statement's own limit; without one, so many rows. The server applies it to the outer query alone. */
const prepare = async (connection: Connection, { timeoutMs, rowLimit }: Prepared): Promise<void> => {
  const version = String((await ask(connection, 'select version()'))[0]?.[0] ?? '');
  const limitMs = timeoutMs + SPARE_MS;
  const settings = [
    "sql_mode = 'STRICT_TRANS_TABLES'",
    `sql_select_limit = ${rowLimit ?? 'default'}`,
    `lock_wait_timeout = ${Math.ceil(timeoutMs / 1000)}`,
    /mariadb/i.test(version) ? `max_statement_time = ${limitMs / 1000}` : `max_execution_time = ${limitMs}`,
  ];
  await ask(connection, `set session ${settings.join(', session ')}`);
  await ask(connection, 'start transaction read only');
};

interface Prepared {
  timeoutMs: number;
  rowLimit: number | undefined;
}

/** Of a kill: a server that is busy may refuse a connection, and a cut one does not end a statement here. */
const KILL_TRIES = 5;

const kill = async (options: ReaderOptions, connection: Connection): Promise<void> => {
  const other = await connect(options, undefined);
  try {
    await ask(other, `kill query ${Number(connection.threadId)}`);
  } finally {
    other.destroy();
  }
};

/** Tried again at once, then after a moment that grows; then the server's own limit has to do. */
const killSurely = async (options: ReaderOptions, connection: Connection): Promise<void> => {
  for (let tried = 0; tried < KILL_TRIES; tried += 1) {
    await sleep(tried > 1 ? 50 * 2 ** tried : 0);
    const done = await kill(options, connection).then(
      () => true,
      () => false,
    );
    if (done) return;
  }
};

const failureOf = (error: unknown, sql = ''): ReadOutcome => {
  const { sqlMessage, message } = error as { sqlMessage?: string; message: string };
  const told = sqlMessage ?? message;
  return { kind: 'failed', message: told, position: faultPlace(told, sql) };
};

const socketOf = (connection: Connection) =>
  (connection as unknown as { stream: NodeJS.ReadableStream & { destroy: () => void } }).stream;

const runOn = async (
  connection: Connection,
  options: ReaderOptions,
  request: ReadRequest & { secrets: Secrets | undefined; secretNames: Set<string> },
  deadline: number,
): Promise<ReadOutcome> => {
  const { sql, values, mostRows, mostBytes, signal, secrets, secretNames } = request;
  const rows: (string | null)[][] = [];
  let fields: FieldPacket[] = [];
  let ending: Ending | undefined;
  let bytes = 0;
  let cut: NodeJS.Timeout | undefined;
  const stream = socketOf(connection);
  const end = (why: Ending) => {
    if (ending) return;
    ending = why;
    void killSurely(options, connection);
    if (why === 'full') stream.destroy();
    else cut = setTimeout(() => stream.destroy(), CANCEL_MS);
  };
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) end('full');
  };
  const timer = setTimeout(() => end('timeout'), Math.max(0, deadline - Date.now()));
  const leave = () => end('signal');
  signal.addEventListener('abort', leave, { once: true });
  stream.on('data', count);
  try {
    await new Promise<void>((resolve, reject) => {
      const query = values
        ? connection.execute({ sql, values, rowsAsArray: true, ...PREPARED })
        : connection.query({ sql, rowsAsArray: true, typeCast: cellOf });
      query.on('fields', (given: FieldPacket[]) => {
        fields = given ?? fields;
      });
      query.on('result', (row: unknown) => {
        if (!Array.isArray(row)) return;
        if (rows.length < mostRows) rows.push(values ? row.map(cellOfValue) : (row as (string | null)[]));
        else end('full');
      });
      query.on('error', reject);
      query.on('end', () => resolve());
      stream.once('close', () => reject(new Error('the connection to the database ended')));
      if (signal.aborted) leave();
    });
  } catch (error) {
    if (ending === 'signal') return { kind: 'cancelled' };
    const { errno } = error as QueryError;
    // Of MariaDB and of MySQL: the server's own limit.
    if (ending === 'timeout' || errno === 1969 || errno === 3024) return { kind: 'timed_out' };
    if (ending !== 'full') return failureOf(error, sql);
  } finally {
    clearTimeout(timer);
    clearTimeout(cut);
    signal.removeEventListener('abort', leave);
    stream.off('data', count);
  }
  if (ending === 'signal') return { kind: 'cancelled' };
  if (ending === 'timeout') return { kind: 'timed_out' };
  const columns = fields.map(({ name, columnType }) => ({
    name,
    type: (mysql.Types as unknown as Record<number, string>)[columnType ?? -1]?.toLowerCase() ?? '',
  }));
  return {
    kind: 'done',
    columns,
    rows: secrets ? masked(rows, fields, secrets, secretNames) : rows,
    truncated: ending === 'full',
  };
};

const NO_NAMES = new Set<string>();

/** MySQL and MariaDB, by a user who can only read: one who can do more is refused. */
export const openMysqlReader: OpenReader = (options) => {
  const { mask, secret } = options;
  const trusted = new Map<string, { untilMs: number; secrets: Secrets | undefined }>();

  /** What the user may do is known, or why nothing is run. */
  const trust = async (connection: Connection, database: string): Promise<string | Secrets | undefined> => {
    const known = trusted.get(database);
    if (known && known.untilMs > Date.now()) return known.secrets;
    const asking = (sql: string, values?: string[]) => ask(connection, sql, values);
    const excess = await excessIn(asking, mask === 'program' ? [] : secret);
    if (excess) return excess;
    const secrets = mask === 'program' && secret.length > 0 ? await findSecrets(asking, secret) : undefined;
    if (typeof secrets !== 'string') trusted.set(database, { untilMs: Date.now() + TRUSTED_MS, secrets });
    return secrets;
  };

  const read = async (request: ReadRequest, { own = false } = {}): Promise<ReadOutcome> => {
    const { database, timeoutMs } = request;
    const deadline = Date.now() + timeoutMs;
    let connection: Connection | undefined;
    try {
      connection = await connect(options, database || undefined);
      const secrets = await trust(connection, database);
      if (typeof secrets === 'string') return { kind: 'unsafe', message: secrets };
      const use = secrets && !own ? traceSecrets(request.sql, secrets) : undefined;
      if (use?.kind === 'untraceable') return use;
      await prepare(connection, { timeoutMs, rowLimit: request.rowLimit });
      const asked = { ...request, secrets, secretNames: use?.names ?? NO_NAMES };
      return await runOn(connection, options, asked, deadline);
    } catch (error) {
      return failureOf(error);
    } finally {
      connection?.destroy();
    }
  };

  const list = { mostRows: LIST_ROWS, mostBytes: LIST_BYTES };
  return {
    judge,
    read: (request) => read(request),
    listDatabases: (request) => read({ ...list, ...request, database: '', sql: DATABASES }, OWN),
    listColumns: (request) => read({ ...list, ...request, sql: COLUMNS }, OWN),
    placeholder: () => '?',
  };
};
