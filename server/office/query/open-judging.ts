import type { QueryEngineName } from '../../../contract/office/query.ts';
import { JobEnded, openThreadPool } from '../../ground/worker-threads/index.ts';
import { deepAt } from './nesting.ts';
import type { Judging, JudgingTurn, StatementVerdict, Use } from './reader.ts';

/** What is done in a thread. */
export type JudgingJob =
  | { kind: 'judge'; sql: string; rowLimit: number }
  | { kind: 'trace'; sql: string; secrets: unknown };

/** The usual statement takes some milliseconds, and what people write hardly a tenth of a second. */
const BOUNDS = { memoryMb: 128, processorMs: 1_000, timeoutMs: 10_000 };
/** In characters: what people write by hand is shorter, and does not wait behind longer ones. */
const SHORT = 5_000;
const NEVER = new AbortController().signal;
/** Our own: a text that was judged is bounded. */
const OWN: JudgingTurn = { key: '', signal: NEVER };

const tooDeep = (position?: number): StatementVerdict => ({
  kind: 'refused',
  reason: 'deep',
  detail: '',
  position,
});

/** Rejects when nobody waits any more, whatever the work does. */
const orAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
};

/**
 * Judges statements in threads of bounded time and memory: a text can take its own thread with it, and nothing else.
 * Threads for these engines are opened in advance, so that the first statement does not wait for the parsers.
 */
export const openJudging = (
  program: URL,
  engines: QueryEngineName[],
  { processorMs = BOUNDS.processorMs } = {},
) => {
  const first: JudgingJob = { kind: 'judge', sql: 'select 1', rowLimit: 1 };
  const bounds = {
    ...BOUNDS,
    processorMs,
    ...(engines.length > 0 && { ready: { file: program, input: { engines, ...first } } }),
  };
  const shorts = openThreadPool({ ...bounds, threads: 2 });
  const longs = openThreadPool({ ...bounds, threads: 1 });
  const run = async <Out>(engine: QueryEngineName, job: JudgingJob, turn: JudgingTurn, ended: Out) => {
    const { signal } = turn;
    const workshop = job.sql.length > SHORT ? longs : shorts;
    const work = workshop.run<Out>(program, { input: { engines: [engine], ...job }, ...turn });
    // Who has left hears nothing of it; the thread works on, and keeps its place, until the work ends.
    work.catch(() => {});
    try {
      return await orAborted(work, signal);
    } catch (error) {
      if (error instanceof JobEnded) return ended;
      throw error;
    }
  };
  return {
    of: (engine: QueryEngineName): Judging => ({
      judge: async (sql, rowLimit, turn = OWN) => {
        const position = deepAt(sql, engine);
        if (position !== undefined) return tooDeep(position);
        return run(engine, { kind: 'judge', sql, rowLimit }, turn, tooDeep());
      },
      trace: (sql, secrets) =>
        run<Use>(engine, { kind: 'trace', sql, secrets }, OWN, { kind: 'untraceable', what: '' }),
    }),
    close: async () => {
      await Promise.all([shorts.close(), longs.close()]);
    },
  };
};

export type OpenedJudging = ReturnType<typeof openJudging>;
