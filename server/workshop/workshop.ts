import { Worker } from 'node:worker_threads';
import { DomainError } from '../domain-error.ts';
import { openConcurrencyLimit } from '../limits/index.ts';

export interface Job {
  /** The address of a file whose default export does the work, given `input`. Both ways take copies. */
  file: string;
  input: unknown;
}
export type JobReply = { result: unknown } | { error: unknown };

export interface Workshop {
  /**
   * Runs the default export of a file in a thread of its own. One account's jobs leave room for others'; a job that
   * runs out of memory or of time is ended alone, and its caller is told to come again.
   */
  run: <Out>(file: URL, job: { input: unknown; key: string; signal?: AbortSignal }) => Promise<Out>;
  close: () => Promise<void>;
}

interface WorkshopOptions {
  threads?: number;
  /** Of a thread's heap. */
  memoryMb?: number;
  timeoutMs?: number;
}

const THREADS = 2;
const MEMORY_MB = 256;
const TIMEOUT_MS = 20_000;
/** Further ones would wait longer than people do. */
const WAITING = { maxWaiting: 200, maxWaitingPerKey: 20, maxWaitMs: 20_000 };

const PROGRAM = new URL('./run-job.ts', import.meta.url);

/** Resolves with the reply; rejects if the thread ends without one, as one does that is out of memory. */
const replyOf = (worker: Worker, job: Job, timeoutMs: number): Promise<JobReply> =>
  new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    };
    const onMessage = (reply: JobReply) => {
      settle();
      resolve(reply);
    };
    const onEnd = (cause: unknown) => {
      settle();
      reject(Object.assign(new DomainError('E_UNAVAILABLE'), { cause }));
    };
    const timer = setTimeout(() => onEnd(new Error('a job took too long')), timeoutMs);
    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    worker.postMessage(job);
  });

/** Threads for work of more than some milliseconds, which would make everybody wait on the event loop. */
export const openWorkshop = ({
  threads = THREADS,
  memoryMb = MEMORY_MB,
  timeoutMs = TIMEOUT_MS,
}: WorkshopOptions = {}): Workshop => {
  const limited = openConcurrencyLimit(threads, { ...WAITING, maxPerKey: Math.max(1, threads - 1) });
  const idle: Worker[] = [];
  const all = new Set<Worker>();

  const open = (): Worker => {
    const worker = new Worker(PROGRAM, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    all.add(worker);
    // Without a listener an error would end the whole program.
    worker.on('error', () => {});
    worker.once('exit', () => {
      all.delete(worker);
      const at = idle.indexOf(worker);
      if (at >= 0) idle.splice(at, 1);
    });
    return worker;
  };

  return {
    run: <Out>(file: URL, { input, ...turn }: { input: unknown; key: string; signal?: AbortSignal }) =>
      limited(async () => {
        const worker = idle.pop() ?? open();
        worker.ref();
        let reply: JobReply;
        try {
          reply = await replyOf(worker, { file: file.href, input }, timeoutMs);
        } catch (error) {
          await worker.terminate();
          throw error;
        }
        // A program that ends does not wait for threads without work.
        worker.unref();
        idle.push(worker);
        if ('error' in reply) throw reply.error;
        return reply.result as Out;
      }, turn),
    close: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
};
