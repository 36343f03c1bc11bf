import { useEffect, useRef, useState } from 'react';
import type { QueryFault, QueryResult, QueryStanding } from '../../../contract/office/query.ts';
import { call } from '../../ground/api/call.ts';
import { idempotencyKey } from '../../ground/api/idempotency-key.ts';
import { queryClient } from '../../ground/api/query-client.ts';
import {
  historyQuery,
  QUERY_CALL_MS,
  type QueryTarget,
  standingQuery,
  withheldQuery,
} from './query-queries.ts';

/** What was run last: it is running, has an answer or has failed. */
export type StatementRun =
  | { kind: 'none' }
  | { kind: 'running' }
  | { kind: 'done'; result: QueryResult; explained: boolean; id: number }
  /** Its end was told, and it goes on in its database. */
  | { kind: 'lingering' }
  | { kind: 'failed'; message: string; fault: QueryFault | null };

export interface TargetedStatement extends QueryTarget {
  sql: string;
}

const shifted = (fault: QueryFault | null, by: number): QueryFault | null =>
  fault && { ...fault, position: fault.position === null ? null : Math.max(0, fault.position - by) };

const reload = (...queries: { queryKey: readonly string[] }[]) =>
  Promise.all(queries.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })));

/** Known from here on, so that its end is told however soon it comes. */
const noteLingering = (lingering: QueryStanding['lingering'][number]): void => {
  queryClient.setQueryData(standingQuery.queryKey, (known) => ({
    withheldUntil: known?.withheldUntil ?? null,
    lingering: [lingering],
  }));
};

/** Runs one statement at a time: a newer one takes the place of the older, here and in the database. */
export const useRun = () => {
  const [run, setRun] = useState<StatementRun>({ kind: 'none' });
  const latest = useRef(0);
  const runId = useRef<string>(undefined);
  const leaving = useRef(new AbortController());

  // Whoever leaves the page does not wait for the answer: the server then cancels the query.
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  /** `prefix` comes before the statement that the reader sees: places are counted without it. */
  const start = async ({ sql, ...place }: TargetedStatement, prefix = ''): Promise<void> => {
    latest.current += 1;
    const id = latest.current;
    const named = idempotencyKey();
    runId.current = named;
    setRun({ kind: 'running' });
    const settle = (next: StatementRun) => {
      if (latest.current === id) setRun(next);
    };
    try {
      const answer = await call('POST /qf/sql_query', {
        body: { ...place, sql: prefix + sql, run_id: named },
        timeoutMs: QUERY_CALL_MS,
        signal: leaving.current.signal,
      });
      if (answer.success) settle({ kind: 'done', result: answer.data, explained: prefix !== '', id });
      else if (answer.data?.since) {
        settle({ kind: 'lingering' });
        noteLingering({ zone_id: place.zone_id, since: answer.data.since });
        return;
      } else settle({ kind: 'failed', message: answer.msg, fault: shifted(answer.data, prefix.length) });
    } catch (error) {
      settle({ kind: 'failed', message: (error as Error).message, fault: null });
    } finally {
      void reload(historyQuery, withheldQuery);
    }
    void reload(standingQuery);
  };

  return {
    run,
    start,
    /** The run then ends by its own answer, however soon this is. */
    cancel: () => call('POST /qf/sql_cancel', { body: { run_id: runId.current } }).catch(() => undefined),
  };
};
