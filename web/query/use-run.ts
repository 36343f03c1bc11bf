import { useEffect, useRef, useState } from 'react';
import type { QueryFault, QueryResult } from '../../contract/query.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { historyQuery, type Place, QUERY_CALL_MS } from './query-queries.ts';

/** What was run last: it is running, has an answer or has failed. */
export type Run =
  | { kind: 'none' }
  | { kind: 'running' }
  | { kind: 'done'; result: QueryResult; explained: boolean; id: number }
  | { kind: 'failed'; message: string; fault: QueryFault | null };

export interface Statement extends Place {
  sql: string;
}

const shifted = (fault: QueryFault | null, by: number): QueryFault | null =>
  fault && { ...fault, position: fault.position === null ? null : Math.max(0, fault.position - by) };

/** Runs one statement at a time: a newer one takes the place of the older, here and in the database. */
export const useRun = () => {
  const [run, setRun] = useState<Run>({ kind: 'none' });
  const latest = useRef(0);
  const leaving = useRef(new AbortController());

  // Whoever leaves the page does not wait for the answer: the server then cancels the query.
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  /** `prefix` comes before the statement that the reader sees: places are counted without it. */
  const start = async ({ sql, ...place }: Statement, prefix = ''): Promise<void> => {
    latest.current += 1;
    const id = latest.current;
    setRun({ kind: 'running' });
    const settle = (next: Run) => {
      if (latest.current === id) setRun(next);
    };
    try {
      const answer = await call('POST /qf/sql_query', {
        body: { ...place, sql: prefix + sql },
        timeoutMs: QUERY_CALL_MS,
        signal: leaving.current.signal,
      });
      if (answer.success) settle({ kind: 'done', result: answer.data, explained: prefix !== '', id });
      else settle({ kind: 'failed', message: answer.msg, fault: shifted(answer.data, prefix.length) });
    } catch (error) {
      settle({ kind: 'failed', message: (error as Error).message, fault: null });
    }
    await queryClient.invalidateQueries({ queryKey: historyQuery.queryKey });
  };

  return {
    run,
    start,
    /** The run then ends by its own answer. */
    cancel: () => call('POST /qf/sql_cancel', { body: {} }).catch(() => undefined),
  };
};
