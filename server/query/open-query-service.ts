import {
  DATABASE_LIST_TIMEOUT_MS,
  type MerchantFound,
  QUERY_MOST_ROWS,
  QUERY_ROW_LIMIT,
  QUERY_TIMEOUT_MS,
  type QueryFault,
  type QueryOutcome,
  type QueryResult,
  type QueryTable,
} from '../../contract/query.ts';
import { DomainError } from '../domain-error.ts';
import { openPlaces } from '../limits/index.ts';
import type { Log } from '../log/index.ts';
import type { Db } from '../postgres/index.ts';
import { text } from '../translations/index.ts';
import { type Asker, openTurns } from './ask.ts';
import { findMerchants, MOST_CONNECTIONS } from './merchant-store.ts';
import type { OpenedJudging } from './open-judging.ts';
import type { Reader, Readers, ReadOutcome, Verdict } from './reader.ts';
import { endLeftQueries, insertQuery, updateQuery } from './store.ts';
import type { Zone } from './zones.ts';

/** Of an answer as it comes from the database. */
const MOST_BYTES = 8_000_000;
/** Connections to a zone at one moment, of all and of one asker: its database has others to serve. */
const CONNECTIONS = { total: 16, perKey: 8 };
/** Longer than any query or lookup can run. */
const LEFT_MS = 2 * QUERY_TIMEOUT_MS;

export type Answer<T> =
  | { data: T; msg: string; success: true }
  | { data: QueryFault | null; msg: string; success: false };

interface QueryServiceDeps {
  zones: Zone[];
  readers: Readers;
  judging: OpenedJudging;
  /** Where queries are written down. */
  db: Db;
  log: Log;
  timeoutMs?: number;
  leftMs?: number;
}

interface Asked {
  zoneId: number;
  database: string;
  sql: string;
}

const success = <T>(data: T): Answer<T> => ({ data, msg: '', success: true });

/** Anything but rows, in the reader's language; what the database said is repeated as it is. */
const failure = (
  asker: Pick<Asker, 'language'>,
  outcome: Exclude<ReadOutcome, { kind: 'done' }>,
  timeoutMs: number,
): Answer<never> => {
  const say = (label: string, params = {}) => text(asker.language, label, params);
  const fault = (of: QueryOutcome, msg: string, position?: number): Answer<never> => ({
    data: { outcome: of, position: position ?? null },
    msg,
    success: false,
  });
  if (outcome.kind === 'cancelled') return fault('cancelled', say('query.cancelled'));
  if (outcome.kind === 'timed_out')
    return fault('timed_out', say('query.timed_out', { seconds: timeoutMs / 1000 }));
  if (outcome.kind === 'untraceable')
    return fault('refused', say('query.refused.secret', { detail: outcome.what }));
  if (outcome.kind === 'unsafe') return fault('refused', say('query.unsafe', { reason: outcome.message }));
  return fault('failed', outcome.message, outcome.position);
};

/** What the process of the role query does: it judges statements, runs them, and writes each down. */
export const openQueryService = ({
  zones,
  readers,
  judging,
  db,
  log,
  timeoutMs = QUERY_TIMEOUT_MS,
  leftMs = LEFT_MS,
}: QueryServiceDeps) => {
  const turns = openTurns();
  /** Apart: a statement that is refused cancels none. */
  const judgingTurns = openTurns();
  const opened = new Map<number, Promise<Reader>>();
  const places = zones.map((zone) => ({ zone, takePlace: openPlaces(CONNECTIONS) }));

  /** Those of a service that ended while they ran; what another service runs now is younger. */
  const endLeft = (): Promise<void> =>
    endLeftQueries(db, { olderThanMs: leftMs, message: text('en_US', 'query.left') }).catch((error) =>
      log.error({ err: error }, 'query'),
    );
  void endLeft();
  const later = setTimeout(endLeft, leftMs + 1_000);
  later.unref();

  /** A zone's reader is opened when it is first needed: its packages are large. */
  const readerOf = (zone: Zone): Promise<Reader> => {
    const found =
      opened.get(zone.id) ?? readers[zone.engine]().then((open) => open(zone, judging.of(zone.engine)));
    opened.set(zone.id, found);
    return found;
  };

  const refusal = (asker: Asker, label: string, params = {}, position?: number): Answer<never> => ({
    data: { outcome: 'refused', position: position ?? null },
    msg: text(asker.language, label, params),
    success: false,
  });

  /** Works with so many connections to a zone, if there is room for them. */
  const within = async <T>(
    asker: Asker,
    { zoneId, database, connections = 1 }: { zoneId: number; database?: string; connections?: number },
    work: (reader: Reader, zone: Zone) => Promise<Answer<T>>,
  ): Promise<Answer<T>> => {
    const found = places.find(({ zone }) => zone.id === zoneId);
    if (!found) return refusal(asker, 'query.no_zone', { zone: zoneId });
    const { zone, takePlace } = found;
    if (database !== undefined && zone.databases.length > 0 && !zone.databases.includes(database))
      return refusal(asker, 'query.no_database', { database });
    const held = new DisposableStack();
    try {
      for (let taken = 0; taken < connections; taken += 1) held.defer(takePlace(asker.accountId ?? ''));
      return await work(await readerOf(zone), zone);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return refusal(asker, `error.${error.code}`);
    } finally {
      held.dispose();
    }
  };

  const judge = async (asker: Asker, reader: Reader, sql: string): Promise<Verdict | 'cancelled'> => {
    const { signal, end } = judgingTurns.begin(asker);
    try {
      return await reader.judge(sql, QUERY_ROW_LIMIT, { key: asker.accountId ?? '', signal });
    } catch (error) {
      if (signal.aborted) return 'cancelled';
      throw error;
    } finally {
      end();
    }
  };

  /** Judges and runs it, in the asker's turn. */
  const run = (asker: Asker, { zoneId, database, sql }: Asked): Promise<Answer<QueryResult>> =>
    within(asker, { zoneId, database }, async (reader) => {
      const verdict = await judge(asker, reader, sql);
      if (verdict === 'cancelled') return failure(asker, { kind: 'cancelled' }, timeoutMs);
      if (verdict.kind === 'refused')
        return refusal(
          asker,
          `query.refused.${verdict.reason}`,
          { detail: verdict.detail },
          verdict.position,
        );
      const turn = turns.begin(asker);
      const begun = performance.now();
      try {
        const outcome = await reader.read({
          database,
          sql: verdict.sql,
          timeoutMs,
          rowLimit: QUERY_ROW_LIMIT,
          mostRows: QUERY_MOST_ROWS,
          mostBytes: MOST_BYTES,
          signal: turn.signal,
        });
        if (outcome.kind !== 'done') {
          const answer = failure(asker, outcome, timeoutMs);
          // The reader's place is one in the statement alone.
          if (!answer.success && answer.data?.position != null) answer.data.position += verdict.begin;
          return answer;
        }
        const { kind: _, ...rows } = outcome;
        const elapsed = Math.round(performance.now() - begun);
        return success({ ...rows, limited: verdict.limited, elapsed_ms: elapsed });
      } finally {
        turn.end();
      }
    });

  /** Written down before it runs, and once it has ended. */
  const recorded = async <T>(
    asker: Asker,
    asked: Asked,
    work: () => Promise<Answer<T>>,
    count: (data: T) => number,
  ): Promise<Answer<T>> => {
    const id = await insertQuery(db, { ...asked, accountId: asker.accountId, entryId: asker.entryId });
    const begun = performance.now();
    const write = (outcome: QueryOutcome, message: string, rowCount?: number) =>
      updateQuery(db, id, { outcome, message, rowCount, elapsedMs: Math.round(performance.now() - begun) });
    try {
      const answer = await work();
      if (answer.success) await write('done', '', count(answer.data));
      else await write(answer.data?.outcome ?? 'failed', answer.msg);
      return answer;
    } catch (error) {
      log.error({ err: error }, 'query');
      await write('failed', (error as Error).message);
      throw error;
    }
  };

  return {
    zones: zones.map(({ id, name, engine }) => ({ id, name, engine })),

    listDatabases: (asker: Asker, zoneId: number): Promise<Answer<string[]>> =>
      within(asker, { zoneId }, async (reader, zone) => {
        if (zone.databases.length > 0) return success(zone.databases);
        const limit = { timeoutMs: DATABASE_LIST_TIMEOUT_MS, signal: asker.hungUp };
        const outcome = await reader.listDatabases(limit);
        if (outcome.kind !== 'done') return failure(asker, outcome, DATABASE_LIST_TIMEOUT_MS);
        return success(outcome.rows.map(([name]) => name ?? ''));
      }),

    listTables: (
      asker: Asker,
      { zoneId, database }: { zoneId: number; database: string },
    ): Promise<Answer<QueryTable[]>> =>
      within(asker, { zoneId, database }, async (reader) => {
        const limit = { timeoutMs: DATABASE_LIST_TIMEOUT_MS, signal: asker.hungUp };
        const outcome = await reader.listColumns({ database, ...limit });
        if (outcome.kind !== 'done') return failure(asker, outcome, DATABASE_LIST_TIMEOUT_MS);
        const tables = new Map<string, QueryTable>();
        for (const [table, name, type] of outcome.rows) {
          const known = tables.get(table ?? '') ?? { name: table ?? '', columns: [] };
          known.columns.push({ name: name ?? '', type: type ?? '' });
          tables.set(known.name, known);
        }
        return success([...tables.values()]);
      }),

    query: (asker: Asker, asked: Asked): Promise<Answer<QueryResult>> =>
      recorded(
        asker,
        asked,
        () => run(asker, asked),
        ({ rows }) => rows.length,
      ),

    findMerchants: (
      asker: Asker,
      { term, ...place }: { zoneId: number; database: string; term: string },
    ): Promise<Answer<MerchantFound[]>> => {
      const lookup = { ...place, connections: MOST_CONNECTIONS };
      const look = () =>
        within(asker, lookup, async (reader): Promise<Answer<MerchantFound[]>> => {
          const turn = turns.begin(asker);
          try {
            const limit = { timeoutMs: DATABASE_LIST_TIMEOUT_MS, signal: turn.signal };
            const found = await findMerchants(reader, { database: place.database, term, ...limit });
            return Array.isArray(found) ? success(found) : failure(asker, found, DATABASE_LIST_TIMEOUT_MS);
          } finally {
            turn.end();
          }
        });
      const sql = `-- merchant lookup: ${term.replace(/\s+/g, ' ')}`;
      return recorded(asker, { ...place, sql }, look, ({ length }) => length);
    },

    cancel: ({ accountId }: Pick<Asker, 'accountId'>): Answer<{ cancelled: boolean }> =>
      // Both: a statement that is being judged, and an older one that runs.
      success({ cancelled: [judgingTurns, turns].map((one) => one.cancel(accountId)).includes(true) }),

    /** Cancels what runs. */
    close: () => {
      clearTimeout(later);
      for (const one of [judgingTurns, turns]) one.cancelAll();
    },
  };
};

export type QueryService = ReturnType<typeof openQueryService>;
