import { fromKysely, type Job, PgBoss } from 'pg-boss';
import { type Db, isConnectionError } from '../postgres/index.ts';
import type { Task, Tasks } from './task.ts';

interface SendOptions {
  /** A transaction: the job exists if and only if it commits. */
  db?: Db;
  startAfterSeconds?: number;
  startAt?: Date;
}

export interface Queue {
  send: (name: string, data: object, options?: SendOptions) => Promise<void>;
  /** Creates the queues of these tasks, so that jobs can be sent to them. */
  declare: (tasks: Tasks) => Promise<void>;
  /** Runs the tasks in this process until `stop`. */
  work: (tasks: Tasks) => Promise<void>;
  /** Lets running jobs finish, up to the given time, and closes. */
  stop: (timeoutMs: number) => Promise<void>;
}

interface QueueOptions {
  url: string;
  /** Whether this process also maintains the queue and fires schedules. */
  worker: boolean;
  onError: (error: Error) => void;
}

const RETRY_LIMIT = 8;
const RETRY_DELAY_SECONDS = 5;
/** A new job wakes its worker immediately; retries and delayed jobs are found by polling this often. */
const POLL_SECONDS = 2;
/**
 * A job of a killed process is given to another once its heartbeat is missed and the next round of supervision sees it,
 * so within about twice this. The engine's own default is 15 minutes.
 */
const HEARTBEAT_SECONDS = 10;

export const openQueue = async ({ url, worker, onError }: QueueOptions): Promise<Queue> => {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'posthorn-queue',
    max: 6,
    supervise: worker,
    superviseIntervalSeconds: HEARTBEAT_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_SECONDS,
    schedule: worker,
    useListenNotify: worker,
  });
  let stopped = false;
  // A connection of the engine may outlive its end by a moment, and be cut when the database stops.
  boss.on('error', (error) => {
    if (!stopped || !isConnectionError(error)) onError(error);
  });
  await boss.start();

  const runOne = async (name: string, task: Task, job: Job<unknown> & { retryCount?: number }) => {
    try {
      await task.run(job.data, job.signal);
    } catch (error) {
      onError(new Error(`${name} failed`, { cause: error }));
      if (task.onGiveUp && (job.retryCount ?? 0) >= (task.retryLimit ?? RETRY_LIMIT))
        await task.onGiveUp(job.data);
      throw error;
    }
  };

  return {
    send: async (name, data, { db, startAfterSeconds, startAt } = {}) => {
      await boss.send(name, data, {
        ...(db && { db: fromKysely(db) }),
        ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
        ...(startAt && { startAfter: startAt }),
      });
    },
    declare: async (tasks) => {
      for (const [name, task] of Object.entries(tasks)) {
        const options = {
          retryLimit: task.retryLimit ?? RETRY_LIMIT,
          retryDelay: task.retryDelaySeconds ?? RETRY_DELAY_SECONDS,
          retryBackoff: true,
          heartbeatSeconds: HEARTBEAT_SECONDS,
          deleteAfterSeconds: 3 * 24 * 3600,
          notify: true,
        };
        await boss.createQueue(name, options);
        await boss.updateQueue(name, options);
      }
    },
    work: async (tasks) => {
      for (const [name, task] of Object.entries(tasks)) {
        await boss.work(
          name,
          {
            includeMetadata: true,
            batchSize: 1,
            localConcurrency: task.concurrency ?? 1,
            notifyPollingIntervalSeconds: POLL_SECONDS,
          },
          async (jobs: Job<unknown>[]) => {
            for (const job of jobs) await runOne(name, task, job);
          },
        );
        if (task.cron) await boss.schedule(name, task.cron);
      }
    },
    stop: async (timeoutMs) => {
      await boss.stop({ graceful: true, timeout: timeoutMs });
      stopped = true;
    },
  };
};
