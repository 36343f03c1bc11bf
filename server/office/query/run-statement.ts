import { QUERY_ROW_LIMIT } from '../../../contract/office/office-values.ts';
import { QUERY_MOST_ROWS, type QueryResult } from '../../../contract/office/query.ts';
import type { Log } from '../../ground/log/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { clockOf, failedAnswer, refusal, success } from './answer.ts';
import { type Asker, limitAskers, type Turns } from './ask.ts';
import { type Ended, failedIn, refusedBy, type Worked } from './ended-call.ts';
import type { Reader, StatementVerdict } from './reader.ts';
import type { Asked } from './records.ts';
import { noteBackend } from './store.ts';
import { findWithheld } from './withheld-store.ts';
import type { Within } from './within-zone.ts';

/** Of an answer as it comes from the database. */
const MOST_BYTES = 8_000_000;
/** Of an answer: four bytes of it may be a cell, of which two programs and a page then read millions. */
const MOST_CELLS = 500_000;
const LIMITS = {
  rowLimit: QUERY_ROW_LIMIT,
  mostRows: QUERY_MOST_ROWS,
  mostCells: MOST_CELLS,
  mostBytes: MOST_BYTES,
};

interface RunDeps {
  db: Db;
  log: Log;
  turns: Turns;
  within: Within;
  timeoutMs: number;
}

/** Judges statements and runs them, in their asker's turn. */
export const openStatements = ({ db, log, turns, within, timeoutMs }: RunDeps) => {
  /** Apart: a statement that is refused cancels none. */
  const judgingTurns = limitAskers();

  const judge = async (
    asker: Asker,
    reader: Reader,
    sql: string,
  ): Promise<StatementVerdict | 'cancelled'> => {
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
    work: (signal: AbortSignal) => Promise<Worked<T>>,
  ): Promise<Worked<T>> => {
    const until = await findWithheld(db, asker.accountId);
    if (until) return { answer: refusal(asker, 'query.withheld', { until: clockOf(until) }) };
    const turn = await turns.begin(asker);
    if (turn.kind === 'taken')
      return { answer: refusal(asker, 'query.taken', { since: clockOf(turn.since) }) };
    try {
      return await work(turn.signal);
    } finally {
      turn.end();
    }
  };

  /** Notes what the database knows the query by. */
  const onBackendOf = (queryId: string) => async (backend: string) =>
    noteBackend(db, queryId, backend).catch((error) => log.error({ err: error }, 'query'));

  const run = (
    asker: Asker,
    { zoneId, database, sql, queryId }: Asked & { queryId: string },
  ): Promise<Ended<QueryResult>> =>
    within(asker, { zoneId, database, queryId }, async (reader) => {
      const verdict = await judge(asker, reader, sql);
      if (verdict === 'cancelled') return { answer: failedAnswer(asker, { kind: 'cancelled' }, timeoutMs) };
      if (verdict.kind === 'refused') return { answer: refusedBy(asker, verdict) };
      return inTurn(asker, async (signal) => {
        const begun = performance.now();
        const onBackend = onBackendOf(queryId);
        const asked = { database, sql: verdict.sql, timeoutMs, signal, onBackend, ...LIMITS };
        const outcome = await reader.read(asked);
        if (outcome.kind !== 'done') return failedIn(asker, outcome, { begin: verdict.begin, timeoutMs });
        const { kind: _, again, ...rows } = outcome;
        const { limited } = verdict;
        const elapsed = Math.round(performance.now() - begun);
        return { answer: success({ ...rows, limited, elapsed_ms: elapsed, ...(again && { again }) }) };
      });
    });

  return { inTurn, onBackendOf, run };
};
