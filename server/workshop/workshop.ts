import { Worker } from 'node:worker_threads';
import { DomainError } from '../domain-error.ts';
import { openConcurrencyLimit } from '../limits/index.ts';
import type { JobReply } from './serve-jobs.ts';

export interface Workshop {
  /**
   * Hands the input to a thread whose program is this file, one of `serveJobs`; input and result are copied. One
   * account's jobs leave room for others'; a job that runs out of memory or of time is ended alone, and its caller is
   * told to come again.
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

/** Resolves with the reply; rejects if the thread ends without one, as one does that is out of memory. */
const replyOf = (worker: Worker, input: unknown, timeoutMs: number): Promise<JobReply> =>
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
    worker.postMessage(input);
  });

/** Threads for work of more than some milliseconds, which would make everybody wait on the event loop. */
export const openWorkshop = ({
  threads = THREADS,
  memoryMb = MEMORY_MB,
  timeoutMs = TIMEOUT_MS,
}: WorkshopOptions = {}): Workshop => {
  const limited = openConcurrencyLimit(threads, { ...WAITING, maxPerKey: Math.max(1, threads - 1) });
  /** Threads without work, by their program; the one that worked last comes last. */
  const idle: { program: string; worker: Worker }[] = [];
  const all = new Set<Worker>();

  const open = (program: URL): Worker => {
    const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    all.add(worker);
    // Without a listener an error would end the whole program.
    worker.on('error', () => {});
    worker.once('exit', () => {
      all.delete(worker);
      const at = idle.findIndex((one) => one.worker === worker);
      if (at >= 0) idle.splice(at, 1);
    });
    return worker;
  };
  const take = (program: URL): Worker => {
    const at = idle.findLastIndex((one) => one.program === program.href);
    return idle.splice(at, at < 0 ? 0 : 1)[0]?.worker ?? open(program);
  };
  /** A program that ends does not wait for threads without work, and few are kept. */
  const putBack = (program: URL, worker: Worker): void => {
    worker.unref();
    idle.push({ program: program.href, worker });
    if (idle.length > threads) void idle.shift()?.worker.terminate();
  };

  return {
    run: <Out>(file: URL, { input, ...turn }: { input: unknown; key: string; signal?: AbortSignal }) =>
      limited(async () => {
        const worker = take(file);
        worker.ref();
        let reply: JobReply;
        try {
          reply = await replyOf(worker, input, timeoutMs);
        } catch (error) {
          await worker.terminate();
          throw error;
        }
        putBack(file, worker);
        if ('error' in reply) throw reply.error;
        return reply.result as Out;
      }, turn),
    close: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
};
