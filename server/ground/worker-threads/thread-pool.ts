import { Worker } from 'node:worker_threads';
import { openConcurrencyLimit } from '../limits/index.ts';
import { JobEnded, replyOf } from './reply-of.ts';
import type { JobReply } from './serve-jobs.ts';

export interface ThreadPool {
  /**
   * Hands the input to a thread whose program is this file, one of `serveJobs`; input and result are copied. One
   * account's jobs leave room for others'; a job that runs out of memory or of time is ended alone, and its caller gets
   * a `JobEnded`, which tells to come again.
   */
  run: <Out>(file: URL, job: { input: unknown; key: string; signal?: AbortSignal }) => Promise<Out>;
  close: () => Promise<void>;
}

interface ThreadPoolOptions {
  threads?: number;
  /** Of a thread's heap. */
  memoryMb?: number;
  /** By the clock. */
  timeoutMs?: number;
  /** Of the processor: a shorter bound that a busy machine does not make shorter still. */
  processorMs?: number;
  /** Threads of this program are opened in advance and do this job once, and so are those that replace them. */
  ready?: { file: URL; input: unknown };
}

const THREADS = 2;
const MEMORY_MB = 256;
const TIMEOUT_MS = 20_000;
/** By the clock: whoever takes a thread that was not ready in time would be told that the fault is his. */
const READY_MS = 60_000;
/** Further ones would wait longer than people do. */
const WAITING = { maxWaiting: 200, maxWaitingPerKey: 20, maxWaitMs: 20_000 };

interface Thread {
  program: string;
  worker: Worker;
  /** Settled once it can take a job. */
  prepared: Promise<unknown>;
}

/** Threads for work that takes more than a few milliseconds and would block the event loop. */
export const openThreadPool = ({
  threads = THREADS,
  memoryMb = MEMORY_MB,
  timeoutMs = TIMEOUT_MS,
  processorMs,
  ready,
}: ThreadPoolOptions = {}): ThreadPool => {
  const limited = openConcurrencyLimit(threads, { ...WAITING, maxPerKey: Math.max(1, threads - 1) });
  const bounds = { timeoutMs, processorMs };
  /** Threads without work; the one that worked last comes last, and first those that are being prepared. */
  const idle: Thread[] = [];
  const all = new Set<Worker>();
  let closed = false;

  const open = (program: URL): Thread => {
    const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    all.add(worker);
    // Without a listener an error would end the whole program.
    worker.on('error', () => {});
    worker.once('exit', () => {
      all.delete(worker);
      const at = idle.findIndex((one) => one.worker === worker);
      if (at >= 0) idle.splice(at, 1);
    });
    return { program: program.href, worker, prepared: Promise.resolve() };
  };
  const prepare = (): void => {
    if (!ready || closed) return;
    const thread = open(ready.file);
    thread.prepared = replyOf(thread.worker, ready.input, { timeoutMs: READY_MS });
    // Whoever takes it hears of its failure.
    thread.prepared.catch(() => {});
    thread.worker.unref();
    idle.unshift(thread);
  };
  const take = (program: URL): Thread => {
    const at = idle.findLastIndex((one) => one.program === program.href);
    return idle.splice(at, at < 0 ? 0 : 1)[0] ?? open(program);
  };
  /** A program that ends does not wait for threads without work, and few are kept. */
  const putBack = (thread: Thread): void => {
    thread.worker.unref();
    idle.push(thread);
    if (idle.length > threads) void idle.shift()?.worker.terminate();
  };
  for (let opened = 0; opened < threads; opened += 1) prepare();

  return {
    run: <Out>(file: URL, { input, ...turn }: { input: unknown; key: string; signal?: AbortSignal }) =>
      limited(async () => {
        const thread = take(file);
        thread.worker.ref();
        let reply: JobReply;
        try {
          await thread.prepared;
          reply = await replyOf(thread.worker, input, bounds);
        } catch (cause) {
          await thread.worker.terminate();
          if (all.size < threads) prepare();
          throw new JobEnded(cause);
        }
        putBack(thread);
        if ('error' in reply) throw reply.error;
        return reply.result as Out;
      }, turn),
    close: async () => {
      closed = true;
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
};
