import type { AccountId } from '../../../contract/customer/accounts.ts';
import { QUERY_ROW_LIMIT } from '../../../contract/office/office-values.ts';
import {
  DATABASE_LIST_TIMEOUT_MS,
  type MerchantFound,
  QUERY_MOST_ROWS,
  QUERY_TIMEOUT_MS,
  type QueryResult,
  type QueryTable,
} from '../../../contract/office/query.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Log } from '../../ground/log/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type Answer, clockOf, failure, refusal, success } from './answer.ts';
import { type Asker, openTurns } from './ask.ts';
import { openCalls } from './calls.ts';
import { openLinger } from './linger.ts';
import { findMerchants, MOST_CONNECTIONS } from './merchant-store.ts';
import type { OpenedJudging } from './open-judging.ts';
import { openZonePlaces } from './places.ts';
import type { Reader, Readers, Verdict } from './reader.ts';
import { type Asked, type Course, openRecords } from './records.ts';
import { seeEnded } from './see-ended.ts';
import { noteBackend } from './store.ts';
import { findWithheld, noteKill } from './withheld-store.ts';
import type { Zone } from './zones.ts';

/** Of an answer as it comes from the database. */
const MOST_BYTES = 8_000_000;
/** Of an answer: four bytes of it may be a cell, of which two programs and a page then read millions. */
const MOST_CELLS = 500_000;
/** Longer than any query or lookup can run, once more and with its end. */
const LEFT_MS = 4 * QUERY_TIMEOUT_MS;

interface QueryServiceDeps {
  zones: Zone[];
  readers: Readers;
  judging: OpenedJudging;
  /** Where queries are written down. */
  db: Db;
  log: Log;
  /** Somebody ended everybody's statements once too often. */
  onWithheld?: (of: Withheld) => Promise<void>;
  timeoutMs?: number;
  leftMs?: number;
  graceMs?: number;
  /** How long who finds no connection free waits for one. */
  placeWaitMs?: number;
}

export interface Withheld {
  accountId: AccountId | undefined;
  queryId: string;
  until: Date;
}

/** What the process of the role query does: it judges statements, runs them, and writes each down. */
export const openQueryService = ({
  zones,
  readers,
  judging,
  db,
  log,
  onWithheld = async () => {},
  timeoutMs = QUERY_TIMEOUT_MS,
  graceMs,
  leftMs = LEFT_MS,
  placeWaitMs,
}: QueryServiceDeps) => {
  const calls = openCalls();
  const turns = openTurns();
  /** Apart: a statement that is refused cancels none. */
  const judgingTurns = openTurns();
  const opened = new Map<number, Promise<Reader>>();
  const closing = new AbortController();
  const { signal } = closing;
  // Zones of the program's own server share its connections.
  const shared = openZonePlaces(undefined, placeWaitMs);
  const places = zones.map((zone) => ({
    zone,
    of: zone.own ? shared : openZonePlaces(undefined, placeWaitMs),
  }));
  const tell = (error: unknown) => log.error({ err: error }, 'query');

  /** A zone's reader is opened when it is first needed: its packages are large. */
  const readerOf = (zone: Zone): Promise<Reader> => {
    const found =
      opened.get(zone.id) ?? readers[zone.engine]().then((open) => open(zone, judging.of(zone.engine)));
    opened.set(zone.id, found);
    return found;
  };

  const takePlace = (zone: Zone, key: string): (() => void) =>
    places.find((one) => one.zone === zone)?.of.now(key) ?? (() => {});
  const linger = openLinger({ db, log, turns, takePlace, readerOf, zones, signal });
  const resume = () => linger.resume(leftMs).catch(tell);
  /** What was left has its turns and places before anybody asks. */
  const resumed = resume();
  const later = setTimeout(resume, leftMs + 1_000);
  later.unref();

  const onKilled = async (asker: Asker, { queryId }: Course, zone: Zone): Promise<void> => {
    log.warn({ zone: zone.id, query: queryId }, 'a statement that heard no cancel was ended by force');
    if (queryId === undefined) return;
    const { accountId } = asker;
    const until = await noteKill(db, { queryId, accountId });
    if (until) await onWithheld({ accountId, queryId, until });
  };

  /** Works with so many connections to a zone, if there is room for them. */
  const within = async <T>(
    asker: Asker,
    {
      zoneId,
      database,
      connections = 1,
      course = { lingering: [] },
    }: { zoneId: number; database?: string; connections?: number; course?: Course },
    work: (reader: Reader, zone: Zone) => Promise<Answer<T>>,
  ): Promise<Answer<T>> => {
    const found = places.find(({ zone }) => zone.id === zoneId);
    if (!found) return refusal(asker, 'query.no_zone', { zone: zoneId });
    const { zone, of } = found;
    if (database !== undefined && zone.databases.length > 0 && !zone.databases.includes(database))
      return refusal(asker, 'query.no_database', { database });
    const held = new DisposableStack();
    await resumed;
    try {
      const { accountId: key = '', hungUp } = asker;
      held.defer(await of.take({ key, count: connections, signal: hungUp }));
      const reader = seeEnded(await readerOf(zone), zone.own, {
        signal,
        graceMs,
        onKilled: () => onKilled(asker, course, zone).catch(tell),
        onLingering: (lingering) => {
          course.lingering.push(lingering);
          return linger.begin({ ...asker, zone, queryId: course.queryId }, lingering).catch(tell);
        },
      });
      return await work(reader, zone);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (asker.hungUp.aborted) return failure(asker, { kind: 'cancelled' }, timeoutMs);
      return refusal(asker, `error.${error.code}`);
    } finally {
      // What goes on keeps its place.
      if (course.lingering.length === 0) held.dispose();
      else void Promise.all(course.lingering.map(({ gone }) => gone)).then(() => held.dispose());
    }
  };

  const judge = async (asker: Asker, reader: Reader, sql: string): Promise<Verdict | 'cancelled'> => {
    const turn = await judgingTurns.begin(asker);
    if (turn.kind !== 'turn') return 'cancelled';
    try {
      return await reader.judge(sql, QUERY_ROW_LIMIT, { key: asker.accountId ?? '', signal: turn.signal });
    } catch (error) {
      if (turn.signal.aborted) return 'cancelled';
      throw error;
    } finally {
      turn.end();
    }
  };

  /** In the asker's only turn, unless that is taken or withheld. */
  const inTurn = async <T>(
    asker: Asker,
    work: (signal: AbortSignal) => Promise<Answer<T>>,
  ): Promise<Answer<T>> => {
    const until = await findWithheld(db, asker.accountId);
    if (until) return refusal(asker, 'query.withheld', { until: clockOf(until) });
    const turn = await turns.begin(asker);
    if (turn.kind === 'taken') return refusal(asker, 'query.taken', { since: clockOf(turn.since) });
    try {
      return await work(turn.signal);
    } finally {
      turn.end();
    }
  };

  const onBackendOf = ({ queryId }: Course) => ({
    onBackend: async (backend: string) => {
      if (queryId !== undefined) await noteBackend(db, queryId, backend).catch(tell);
    },
  });

  /** Judges and runs it, in the asker's turn. */
  const run = (
    asker: Asker,
    { zoneId, database, sql }: Asked,
    course: Course,
  ): Promise<Answer<QueryResult>> =>
    within(asker, { zoneId, database, course }, async (reader) => {
      const verdict = await judge(asker, reader, sql);
      if (verdict === 'cancelled') return failure(asker, { kind: 'cancelled' }, timeoutMs);
      if (verdict.kind === 'refused')
        return refusal(
          asker,
          `query.refused.${verdict.reason}`,
          { detail: verdict.detail },
          verdict.position,
        );
      return inTurn(asker, async (signal) => {
        const begun = performance.now();
        const outcome = await reader.read({
          database,
          sql: verdict.sql,
          timeoutMs,
          rowLimit: QUERY_ROW_LIMIT,
          mostRows: QUERY_MOST_ROWS,
          mostCells: MOST_CELLS,
          mostBytes: MOST_BYTES,
          signal,
          ...onBackendOf(course),
        });
        if (outcome.kind !== 'done') {
          if (outcome.kind === 'lingering') course.endsAs = outcome.as;
          const answer = failure(asker, outcome, timeoutMs);
          // The reader's place is one in the statement alone.
          if (!answer.success && answer.data?.position != null) answer.data.position += verdict.begin;
          return answer;
        }
        const { kind: _, again, ...rows } = outcome;
        const elapsed = Math.round(performance.now() - begun);
        return success({
          ...rows,
          limited: verdict.limited,
          elapsed_ms: elapsed,
          ...(again && { again }),
        });
      });
    });

  const recorded = openRecords({ db, log, own: linger.own });

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

    query: (asker: Asker, { runId, ...asked }: Asked & { runId?: string | undefined }) =>
      calls.within(
        asker,
        (who) =>
          recorded(
            who,
            asked,
            (course) => run(who, asked, course),
            ({ rows }) => rows.length,
          ),
        { runId },
      ),

    findMerchants: (
      asker: Asker,
      { term, ...place }: { zoneId: number; database: string; term: string },
    ): Promise<Answer<MerchantFound[]>> => {
      const look = (who: Asker) => (course: Course) =>
        within(who, { ...place, course, connections: MOST_CONNECTIONS }, (reader) =>
          inTurn(who, async (signal): Promise<Answer<MerchantFound[]>> => {
            const limit = { timeoutMs: DATABASE_LIST_TIMEOUT_MS, signal, ...onBackendOf(course) };
            const found = await findMerchants(reader, { database: place.database, term, ...limit });
            return Array.isArray(found) ? success(found) : failure(asker, found, DATABASE_LIST_TIMEOUT_MS);
          }),
        );
      const sql = `-- merchant lookup: ${term.replace(/\s+/g, ' ')}`;
      return calls.within(asker, (who) =>
        recorded(who, { ...place, sql }, look(who), ({ length }) => length),
      );
    },

    /** Whatever is being judged, waits or runs; and this run, should it not have come yet. */
    cancel: ({ accountId }: Pick<Asker, 'accountId'>, runId?: string): Answer<{ cancelled: boolean }> =>
      success({ cancelled: calls.cancel(accountId, runId) }),

    /** Cancels what runs. */
    close: () => {
      clearTimeout(later);
      closing.abort();
      calls.cancelAll();
    },
  };
};

export type QueryService = ReturnType<typeof openQueryService>;
