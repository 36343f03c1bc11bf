import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Smsc, USUAL_RECEIPTS } from '../../test/emulators/smsc/smsc.ts';

const EMULATOR = fileURLToPath(new URL('../../test/emulators/smsc/smsc-main.ts', import.meta.url));
const LOOK_MS = 100;

type CentreCounts = ReturnType<Smsc['counts']>;

/** A message centre as a separate process. */
export interface Centre {
  port: number;
  /** The setting for our carrier, with these parameters. */
  url: (parameters: Record<string, string | number>) => string;
  counts: () => Promise<CentreCounts>;
  /** Digits and text of each message, and how often it was taken. */
  messages: () => Promise<Record<string, number>>;
  /** A person writes; resolves when that was acknowledged. */
  write: (message: { from: string; to: string; text: string }) => Promise<void>;
  /** By number: when each watched message arrived. */
  arrivals: () => Promise<Record<string, number>>;
  /** Whether it sends receipts. */
  report: (receipts: boolean) => Promise<void>;
  /** Submits a second; more are throttled. */
  limit: (perSecond: number) => Promise<void>;
  reset: () => Promise<void>;
  /** Polls until the condition is true. */
  until: (isSo: (counts: CentreCounts) => boolean, timeoutMs: number) => Promise<CentreCounts>;
  /** `kill -9`. */
  kill: () => Promise<void>;
}

/** What a centre has written to its record, by digits and text: how often it took each message. */
export const readTaken = async (record: string): Promise<Map<string, number>> => {
  const taken = new Map<string, number>();
  for (const line of (await readFile(record, 'utf8')).split('\n')) {
    // The last line of a killed process may be incomplete: it had not answered then.
    if (!line.endsWith('"')) continue;
    const key = JSON.parse(line) as string;
    taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  return taken;
};

export const startCentre = async (args: string[]): Promise<Centre> => {
  const child = spawn(process.execPath, [EMULATOR, ...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const [line] = (await Promise.race([
    once(createInterface(child.stdout as Readable), 'line'),
    once(child, 'exit').then(() => {
      throw new Error('the message centre did not start');
    }),
  ])) as [string];
  const { port, control } = JSON.parse(line) as { port: number; control: number };

  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${control}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return (await answer.json()) as T;
  };
  const counts = () => ask<CentreCounts>('GET', '/counts');
  return {
    port,
    url: (parameters) =>
      `smpp://posthorn:secret@127.0.0.1:${port}?${new URLSearchParams(
        Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
      )}`,
    counts,
    messages: () => ask('GET', '/messages'),
    write: async (message) => {
      await ask('POST', '/write', message);
    },
    arrivals: () => ask('GET', '/arrivals'),
    report: async (receipts) => {
      await ask('POST', '/behaviour', { receipts: receipts ? USUAL_RECEIPTS : null });
    },
    limit: async (perSecond) => {
      await ask('POST', '/behaviour', { perSecond });
    },
    reset: async () => {
      await ask('POST', '/reset');
    },
    until: async (isSo, timeoutMs) => {
      const end = Date.now() + timeoutMs;
      for (;;) {
        const now = await counts();
        if (isSo(now)) return now;
        if (Date.now() > end) throw new Error(`the message centre waited too long: ${JSON.stringify(now)}`);
        await sleep(LOOK_MS);
      }
    },
    kill: async () => {
      process.off('exit', killWithUs);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};
