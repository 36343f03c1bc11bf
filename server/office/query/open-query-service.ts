/**
 * What the process of the role query does: it judges statements, runs them, and writes each down.
 *
 * The process is in one of three modes:
 * - resuming, from its start: what a process before it left is found, and gets its turns and places (linger.ts). Who
 *   asks meanwhile waits. It is over once that is done, or has failed.
 * - serving. After LEFT_MS it looks once more for what had no backend at its start.
 * - closed, by `close`: everything under way is cancelled, and nothing is watched any more. What still goes on in a
 *   database is written down, for the process after it.
 *
 * So is each call, from its first moment to its record; who asked moves it on, and `cancel`, a hang-up or `close` end it
 * wherever it is:
 * - waiting: it is written down as running (records.ts, its id), and known to `cancel` (calls.ts). It waits for a place
 *   at its zone (within-zone.ts).
 * - placed: its connections are counted. Its statement is judged, in a turn for that alone (run-statement.ts).
 * - running: it has its asker's only turn; a newer one of the asker cancels it. The record knows its backend.
 * - over, or lingering (ended-call.ts): it has its answer. What lingers goes on in the database although its end was told
 *   (see-ended.ts): it keeps its place and its asker's turn, and its record stays open, until the database says that it is
 *   gone.
 */
import type { AccountId } from '../../../contract/customer/accounts.ts';
import {
  DATABASE_LIST_TIMEOUT_MS,
  type MerchantFound,
  QUERY_TIMEOUT_MS,
  type QueryTable,
} from '../../../contract/office/query.ts';
import type { Log } from '../../ground/log/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { failedAnswer, type ServiceAnswer, success } from './answer.ts';
import { type Asker, limitAskers } from './ask.ts';
import { openServiceCalls } from './calls.ts';
import { type Ended, listed, tablesOf } from './ended-call.ts';
import { openLinger } from './linger.ts';
import { findMerchants, MOST_CONNECTIONS } from './merchant-store.ts';
import type { OpenedJudging } from './open-judging.ts';
import { openZones } from './opened-zones.ts';
import type { Readers } from './reader.ts';
import { type Asked, openRecords } from './records.ts';
import { openStatements } from './run-statement.ts';
import { noteKill } from './withheld-store.ts';
import { openWithin } from './within-zone.ts';
import type { Zone } from './zones.ts';

/** Longer than any query or lookup can run, once more and with its end. */
const LEFT_MS = 4 * QUERY_TIMEOUT_MS;
const LIST_MS = DATABASE_LIST_TIMEOUT_MS;

interface QueryServiceDeps {
  zones: Zone[];
  readers: Readers;
  judging: OpenedJudging;
  /** Where queries are written down. */
  db: Db;
  log: Log;
  /** An admin whose statements had to be ended by force too often. */
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

/** The process's mode, and what carries a call through its own. */
const openProcess = (deps: QueryServiceDeps) => {
  const { zones, db, log, onWithheld = async () => {}, timeoutMs = QUERY_TIMEOUT_MS } = deps;
  const { graceMs, leftMs = LEFT_MS } = deps;
  const turns = limitAskers();
  const closing = new AbortController();
  const { signal } = closing;
  const opened = openZones(deps);
  const linger = openLinger({ db, log, turns, ...opened, zones, signal });
  const resume = () => linger.resume(leftMs).catch((error) => log.error({ err: error }, 'query'));
  const resumed = resume();
  const later = setTimeout(resume, leftMs + 1_000);
  later.unref();

  const onKilled = async ({ accountId }: Asker, queryId: string): Promise<void> => {
    const until = await noteKill(db, { queryId, accountId });
    if (until) await onWithheld({ accountId, queryId, until });
  };
  const within = openWithin({ zones: opened, linger, log, resumed, signal, onKilled, timeoutMs, graceMs });
  return {
    within,
    statements: openStatements({ db, log, turns, within, timeoutMs }),
    recorded: openRecords({ db, log, own: linger.own }),
    close: () => {
      clearTimeout(later);
      closing.abort();
    },
  };
};

type Place = Omit<Asked, 'sql'>;

const lookForMerchants = (
  { within, statements: { inTurn, onBackendOf } }: ReturnType<typeof openProcess>,
  asker: Asker,
  { term, queryId, ...place }: Place & { term: string; queryId: string },
): Promise<Ended<MerchantFound[]>> =>
  within(asker, { ...place, queryId, connections: MOST_CONNECTIONS }, (reader) =>
    inTurn<MerchantFound[]>(asker, async (signal) => {
      const limit = { timeoutMs: LIST_MS, signal, onBackend: onBackendOf(queryId) };
      const found = await findMerchants(reader, { database: place.database, term, ...limit });
      return { answer: Array.isArray(found) ? success(found) : failedAnswer(asker, found, LIST_MS) };
    }),
  );

export const openQueryService = (deps: QueryServiceDeps) => {
  const calls = openServiceCalls();
  const carried = openProcess(deps);
  const { within, statements, recorded, close } = carried;

  return {
    zones: deps.zones.map(({ id, name, engine }) => ({ id, name, engine })),

    listDatabases: async (asker: Asker, zoneId: number): Promise<ServiceAnswer<string[]>> => {
      const { answer } = await within(asker, { zoneId }, async (reader, zone) => {
        if (zone.databases.length > 0) return { answer: success(zone.databases) };
        const outcome = await reader.listDatabases({ timeoutMs: LIST_MS, signal: asker.hungUp });
        return listed(asker, outcome, {
          timeoutMs: LIST_MS,
          of: (rows) => rows.map(([name]) => name ?? ''),
        });
      });
      return answer;
    },

    listTables: async (asker: Asker, { zoneId, database }: Place): Promise<ServiceAnswer<QueryTable[]>> => {
      const { answer } = await within(asker, { zoneId, database }, async (reader) => {
        const limit = { timeoutMs: LIST_MS, signal: asker.hungUp };
        return listed(asker, await reader.listColumns({ database, ...limit }), { ...limit, of: tablesOf });
      });
      return answer;
    },

    query: (asker: Asker, { runId, ...asked }: Asked & { runId?: string | undefined }) =>
      calls.within(
        asker,
        (who) =>
          recorded(
            who,
            asked,
            (queryId) => statements.run(who, { ...asked, queryId }),
            ({ rows }) => rows.length,
          ),
        { runId },
      ),

    findMerchants: (asker: Asker, { term, ...place }: Place & { term: string }) => {
      const sql = `-- merchant lookup: ${term.replace(/\s+/g, ' ')}`;
      return calls.within(asker, (who) =>
        recorded(
          who,
          { ...place, sql },
          (queryId) => lookForMerchants(carried, who, { ...place, term, queryId }),
          ({ length }) => length,
        ),
      );
    },

    /** Whatever is being judged, waits or runs; and this run, should it not have come yet. */
    cancel: (
      { accountId }: Pick<Asker, 'accountId'>,
      runId?: string,
    ): ServiceAnswer<{ cancelled: boolean }> => success({ cancelled: calls.cancel(accountId, runId) }),

    /** Cancels what runs. */
    close: () => {
      close();
      calls.cancelAll();
    },
  };
};

export type QueryService = ReturnType<typeof openQueryService>;
