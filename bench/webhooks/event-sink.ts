import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./event-sink-main.ts', import.meta.url));
const LOOK_MS = 50;

export interface SinkCounts {
  calls: number;
  /** Distinct ones, by their ids. */
  events: number;
  /** When half of the expected ones had arrived, in milliseconds since 1970; 0 before that. */
  halfAt: number;
  lastAt: number;
}

/** A receiver of webhook events as a separate process. */
export interface EventSink {
  url: string;
  /** Forgets what has arrived, and expects this many. */
  expect: (events: number) => Promise<void>;
  /** Polls until so many distinct events have arrived. */
  until: (events: number, timeoutMs: number) => Promise<SinkCounts>;
  close: () => Promise<void>;
}

export const startEventSink = async (record?: string): Promise<EventSink> => {
  const child = fork(MAIN, record === undefined ? [] : [record], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the receiver of events ended');
  });
  ended.catch(() => {});
  const heard = async <T>(): Promise<T> => ((await Promise.race([once(child, 'message'), ended])) as [T])[0];
  const port = await heard<number>();
  const ask = (what: object | 'counts'): Promise<SinkCounts> => {
    const answer = heard<SinkCounts>();
    child.send(what);
    return answer;
  };
  return {
    url: `http://127.0.0.1:${port}/events`,
    expect: async (expected) => {
      await ask({ expected });
    },
    until: async (events, timeoutMs) => {
      const end = Date.now() + timeoutMs;
      for (;;) {
        const now = await ask('counts');
        if (now.events >= events) return now;
        if (Date.now() > end)
          throw new Error(`the receiver waited too long for ${events} events: ${JSON.stringify(now)}`);
        await sleep(LOOK_MS);
      }
    },
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};
