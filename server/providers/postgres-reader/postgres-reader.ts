import pg from 'pg';
import type {
  OpenReader,
  Reader,
  ReaderOptions,
  ReadOutcome,
  ReadRequest,
} from '../../office/query/reader.ts';
import { AT_WORK, OWN_BACKEND } from './backend-store.ts';
import { EXCESS, POSTGRES_COLUMNS, POSTGRES_DATABASES, TYPE_NAMES } from './catalog-store.ts';
import { closed, connectionOf, type Ending, isCut, openEnding, streamOf } from './ending.ts';
import { unitsBefore } from './fault-place.ts';
import { findPostgresSecrets, masked, type Origin } from './mask.ts';
import type { PostgresSecrets } from './secret-use.ts';

const CONNECT_MS = 5_000;
/** The database's own limit is a little later than ours, for the case that this process dies. */
const SPARE_MS = 1_000;
/** How long what a user may do is not looked up again. */
const TRUSTED_MS = 60_000;
/** For the names of the types of an answer that was cut. */
const TYPES_MS = 2_000;
const LIST_BYTES = 8_000_000;
const LIST_ROWS = 20_000;
/** Our own statements are not looked at. */
const OWN = { own: true };

/** Every value in the database's own words. */
const asText = { getTypeParser: () => (text: string) => text };

interface Described extends Origin {
  name: string;
  dataTypeID: number;
}

const NAME = 'posthorn-query';
const WATCHING = 'posthorn-query-watch';

const clientFor = (
  options: ReaderOptions,
  database: string,
  { name = NAME, ...more }: { name?: string; query_timeout?: number } = {},
): pg.Client => {
  const client = new pg.Client({
    host: options.host,
    ...(options.port && { port: options.port }),
    user: options.user,
    ...(options.password && { password: options.password }),
    database,
    ssl: options.tls,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    types: asText as pg.CustomTypesConfig,
    ...more,
  });
  // A connection that breaks fails its statement; without a listener it would end the process.
  client.on('error', () => {});
  return client;
};

const begin = (timeoutMs: number): string => `
  begin transaction read only;
  set local statement_timeout = ${timeoutMs + SPARE_MS};
  set local lock_timeout = ${timeoutMs};
  set local idle_in_transaction_session_timeout = ${timeoutMs + SPARE_MS};
  set local client_connection_check_interval = ${SPARE_MS};
  set local max_parallel_workers_per_gather = 1;
  ${OWN_BACKEND}`;

const backendOf = async (client: pg.Client, timeoutMs: number): Promise<string | undefined> => {
  const results = (await client.query(begin(timeoutMs))) as unknown as { rows: { backend: string }[] }[];
  return results.at(-1)?.rows[0]?.backend;
};

/** Of the server; one of the connection alone has no severity. */
interface Fault {
  code?: string;
  message: string;
  position?: string;
  severity?: string;
}
/** It is stopping or starting, another process of it crashed, or it isn't there. */
const AWAY = /^(57P0[123]|ECONN|ENOENT|EPIPE)/;

const failureOf = (error: unknown, sql: string): ReadOutcome => {
  const { code = '', message, position, severity } = error as Fault;
  // The database's own limit.
  if (code === '57014') return { kind: 'timed_out' };
  const at = Number(position);
  // The server counts from 1.
  const place = at > 0 ? unitsBefore(sql, at - 1) : undefined;
  const lost = severity === undefined || AWAY.test(code);
  return { kind: 'failed', message, position: place, ...(lost && { lost }) };
};

const isOfServer = (error: unknown): boolean => (error as Fault).severity !== undefined;

/** The secrets of one database, without its name. */
const secretsIn = (secret: string[], database: string): string[] =>
  secret.filter((name) => name.startsWith(`${database}.`)).map((name) => name.slice(database.length + 1));

const excessOf = async (client: pg.Client, here: string[]): Promise<string> => {
  const { rows } = await client.query<Record<string, string | null>>(EXCESS, [here]);
  return Object.values(rows[0] ?? {})
    .filter((text) => text !== null)
    .join(', ');
};

const typeNames = async (client: pg.Client, fields: Described[]): Promise<Map<string, string>> => {
  const ids = [...new Set(fields.map(({ dataTypeID }) => dataTypeID))];
  const { rows } = await client.query<{ oid: string; name: string }>(TYPE_NAMES, [ids]);
  return new Map(rows.map(({ oid, name }) => [oid, name]));
};

/** What was cut took its connection with it: the names are asked for over another one. */
const typeNamesElsewhere = async (
  options: ReaderOptions,
  database: string,
  fields: Described[],
): Promise<Map<string, string>> => {
  const client = clientFor(options, database, { query_timeout: TYPES_MS });
  try {
    await client.connect();
    return await typeNames(client, fields);
  } catch {
    // The rows are worth more than the names of their types.
    return new Map();
  } finally {
    await closed(client);
  }
};

interface Running extends ReadRequest {
  secrets: PostgresSecrets | undefined;
  /** For an answer that was cut. */
  typesOf: (fields: Described[]) => Promise<Map<string, string>>;
}

/** Runs one statement until it has ended, and the connection is the database's no more. */
const runOn = async (client: pg.Client, request: Running, ending: Ending): Promise<ReadOutcome> => {
  const { sql, values = [], mostRows, mostCells = Number.POSITIVE_INFINITY, mostBytes } = request;
  const { secrets, typesOf } = request;
  const rows: (string | null)[][] = [];
  let fields: Described[] = [];
  let bytes = 0;
  // The extended protocol takes one statement only, whatever the text says.
  const config = { text: sql, values, rowMode: 'array', types: asText, queryMode: 'extended' };
  const query = new pg.Query(config as unknown as string);
  const stream = streamOf(client);
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) ending.now('full');
  };
  stream.on('data', count);
  const describe = (message: { fields: Described[] }) => {
    fields = message.fields;
  };
  // Told before the first row, which may be too large.
  connectionOf(client).once('rowDescription', describe);
  try {
    await new Promise<void>((resolve, reject) => {
      query.on('row', (row: unknown) => {
        const hasRoom = rows.length < mostRows && rows.length * fields.length < mostCells;
        if (hasRoom) rows.push(row as (string | null)[]);
        else ending.now('full');
      });
      query.on('error', reject);
      query.on('end', () => resolve());
      client.once('end', () => reject(new Error('the connection to the database ended')));
      client.query(query);
    });
  } catch (error) {
    if (ending.why() !== 'full') throw error;
  } finally {
    stream.off('data', count);
  }
  const over = ending.outcome();
  if (over) return over;
  const truncated = ending.why() === 'full';
  const names = await (truncated ? typesOf(fields) : typeNames(client, fields));
  const columns = fields.map(({ name, dataTypeID }) => ({ name, type: names.get(String(dataTypeID)) ?? '' }));
  return {
    kind: 'done',
    columns,
    rows: secrets ? masked(rows, fields, secrets) : rows,
    truncated,
  };
};

/** PostgreSQL, by a user who can only read: one who can do more is refused. */
export const openPostgresReader: OpenReader = (options, judging) => {
  const { mask, secret } = options;
  const somewhere = options.databases[0] ?? 'postgres';
  const trusted = new Map<string, { untilMs: number; secrets: PostgresSecrets | undefined }>();

  /** What the user may do is known, or why nothing is run. */
  const trust = async (
    client: pg.Client,
    database: string,
  ): Promise<string | PostgresSecrets | undefined> => {
    const known = trusted.get(database);
    if (known && known.untilMs > Date.now()) return known.secrets;
    const here = secretsIn(secret, database);
    const excess = await excessOf(client, mask === 'program' ? [] : here);
    if (excess) return excess;
    const secrets =
      mask === 'program' && here.length > 0 ? await findPostgresSecrets(client, here) : undefined;
    if (typeof secrets !== 'string') trusted.set(database, { untilMs: Date.now() + TRUSTED_MS, secrets });
    return secrets;
  };

  /** Answers whether the server has said that all is over, too. */
  const readOn = async (
    client: pg.Client,
    request: ReadRequest,
    { ending, own, found }: { ending: Ending; own: boolean; found: (backend: string) => void },
  ): Promise<ReadOutcome> => {
    await client.connect();
    const backend = await backendOf(client, request.timeoutMs);
    if (backend !== undefined) {
      found(backend);
      await request.onBackend?.(backend);
    }
    const secrets = await trust(client, request.database);
    if (typeof secrets === 'string') return { kind: 'unsafe', message: secrets };
    const use = secrets && !own ? await judging.trace(request.sql, secrets) : undefined;
    if (use?.kind === 'untraceable') return use;
    const typesOf = (fields: Described[]) => typeNamesElsewhere(options, request.database, fields);
    return ending.outcome() ?? (await runOn(client, { ...request, secrets, typesOf }, ending));
  };

  const read = async (request: ReadRequest, { own = false } = {}): Promise<ReadOutcome> => {
    if (request.signal.aborted) return { kind: 'cancelled' };
    const client = clientFor(options, request.database);
    const ending = openEnding(options, client, request);
    let backend: string | undefined;
    const found = (of: string) => {
      backend = of;
    };
    const cut = () => (isCut(client) && backend !== undefined ? { cut: backend } : {});
    try {
      const outcome = await readOn(client, request, { ending, own, found });
      return { ...outcome, ...cut() };
    } catch (error) {
      return { ...(ending.outcome() ?? failureOf(error, request.sql)), ...(!isOfServer(error) && cut()) };
    } finally {
      ending.forget();
      // Not committed: what a function may have prepared for the commit, such as a notification, is dropped.
      await closed(client);
    }
  };

  /** Of the same user, who sees its own connections. */
  const isAtWork: Reader['isAtWork'] = async ({ database, backend }) => {
    const client = clientFor(options, database || somewhere, { name: WATCHING });
    const late = setTimeout(() => streamOf(client).destroy(), 2 * CONNECT_MS);
    try {
      await client.connect();
      const { rowCount } = await client.query(AT_WORK, [backend]);
      return rowCount === 1;
    } finally {
      clearTimeout(late);
      await closed(client);
    }
  };

  const list = { mostRows: LIST_ROWS, mostBytes: LIST_BYTES };
  return {
    judge: judging.judge,
    read: (request) => read(request),
    listDatabases: (request) =>
      read({ ...list, ...request, database: somewhere, sql: POSTGRES_DATABASES }, OWN),
    listColumns: (request) => read({ ...list, ...request, sql: POSTGRES_COLUMNS }, OWN),
    isAtWork,
    placeholder: (number) => `$${number}`,
  };
};
