import type { Worker } from 'node:worker_threads';
import { DomainError } from '../domain-error.ts';
import type { JobReply } from './serve-jobs.ts';

/** A job that took more time or memory than it may, or whose thread ended by itself. */
export class JobEnded extends DomainError {
  constructor(cause: unknown) {
    super('E_UNAVAILABLE');
    this.cause = cause;
  }
}

/** How long between two looks at the least. */
const LOOK_MS = 50;

/** In milliseconds; where this Node can't tell, by the clock. */
const processorMsOf = async (worker: Worker): Promise<number> => {
  // Only Node 24.6 and later have it, and not every platform has such a one.
  const { cpuUsage } = worker as Partial<Pick<Worker, 'cpuUsage'>>;
  if (!cpuUsage) return performance.now();
  const { user, system } = await cpuUsage.call(worker);
  return (user + system) / 1000;
};

/** Calls back once this thread has worked for so long. Answers how to stop looking. */
const watchProcessor = (worker: Worker, mostMs: number, onSpent: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  // A thread that has ended tells nothing any more; its end is heard of elsewhere.
  const begun = processorMsOf(worker).catch(() => 0);
  const look = async (): Promise<void> => {
    const usedMs = await processorMsOf(worker).catch(() => 0);
    const leftMs = mostMs - (usedMs - (await begun));
    if (stopped) return;
    if (leftMs <= 0) onSpent();
    else timer = setTimeout(look, Math.max(leftMs, LOOK_MS));
  };
  timer = setTimeout(look, mostMs);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
};

interface Bounds {
  timeoutMs: number;
  processorMs?: number | undefined;
}

/** Resolves with the reply; rejects if the thread ends without one, as one does that is out of memory, or of time. */
export const replyOf = (
  worker: Worker,
  input: unknown,
  { timeoutMs, processorMs }: Bounds,
): Promise<JobReply> =>
  new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      stopWatching?.();
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    };
    const onMessage = (reply: JobReply) => {
      settle();
      resolve(reply);
    };
    const onEnd = (cause: unknown) => {
      settle();
      reject(cause);
    };
    const onSpent = () => onEnd(new Error('a job took too long'));
    const timer = setTimeout(onSpent, timeoutMs);
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    worker.postMessage(input);
    const stopWatching = processorMs === undefined ? undefined : watchProcessor(worker, processorMs, onSpent);
  });
