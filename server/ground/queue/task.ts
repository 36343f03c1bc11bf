/** A kind of background work. If it throws it is retried later, up to `retryLimit` times, then `onGiveUp` is called. */
export interface Task {
  run: (data: unknown, signal: AbortSignal) => Promise<void>;
  /** Five fields, in UTC: the task runs by the clock, once per slot however many workers there are. */
  cron?: string;
  retryLimit?: number;
  retryDelaySeconds?: number;
  /** How many of them run concurrently in one worker. */
  concurrency?: number;
  onGiveUp?: (data: unknown) => Promise<void>;
}

/** A room's tasks by name, `room.verb`. */
export type Tasks = Record<string, Task>;
