import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** What the process is given, as one argument of JSON. */
export interface BystanderOptions {
  url: string;
  secret: string;
  /** Messages a second that the good customer sends. */
  pace: number;
}

interface LongWait {
  at: string;
  ms: number;
  lentMs: number;
}

/** What it has seen since it was last asked. */
export interface BystanderReport {
  seconds: number;
  sent: number;
  /** By status and code. */
  refused: Record<string, number>;
  checks: number;
  /** Of the health check, in milliseconds. */
  p50: number;
  p99: number;
  max: number;
  over200: number;
  /** The longest wait without the time that the machine was lent to others meanwhile. */
  ownMax: number;
  ownOver200: number;
  /** How late this process itself was at most: what a busy machine adds. */
  ownDelayMs: number;
  /** Of the waits above 200 ms, those that are longest without that time. */
  longWaits: LongWait[];
}

const CHECK_MS = 25;
const CONNECTIONS = 16;
const TIMEOUT_MS = 30_000;
const LONG_MS = 200;
const MOST_LONG_WAITS = 50;

const ownOf = ({ ms, lentMs }: LongWait): number => ms - lentMs;

const TICK_MS = 10;
/** How long each of the machine's processors was lent to other machines so far; none where nobody counts it. */
const lentSoFar = (): number[] => {
  try {
    const lines = readFileSync('/proc/stat', 'utf8').matchAll(/^cpu\d+ (?:\d+ ){7}(\d+)/gm);
    return Array.from(lines, ([, ticks]) => Number(ticks) * TICK_MS);
  } catch {
    return [];
  }
};
/** Of the processor that was lent for the longest: what waited may have waited for it alone. */
const lentSince = (before: number[]): number =>
  Math.max(0, ...lentSoFar().map((now, at) => now - (before[at] ?? now)));

/** A good customer and a health check, in a process of their own: neither may notice what hostile clients do. */
const main = async ({ url, secret, pace }: BystanderOptions): Promise<void> => {
  const { origin } = new URL(url);
  const health = new Pool(origin, { connections: 1, headersTimeout: TIMEOUT_MS });
  const sending = new Pool(origin, { connections: CONNECTIONS, headersTimeout: TIMEOUT_MS });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let waits: number[] = [];
  let ownMax = 0;
  let longWaits: LongWait[] = [];
  let sent = 0;
  let refused: Record<string, number> = {};
  let since = performance.now();

  const checkOn = async (): Promise<never> => {
    for (;;) {
      const begun = performance.now();
      const lent = lentSoFar();
      const ok = await health.request({ method: 'GET', path: '/healthz' }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return statusCode === 200;
        },
        () => false,
      );
      const tookMs = performance.now() - begun;
      const lentMs = lentSince(lent);
      // No answer counts as the longest wait.
      const waitMs = ok ? tookMs : TIMEOUT_MS;
      waits.push(waitMs);
      ownMax = Math.max(ownMax, waitMs - lentMs);
      if (waitMs > LONG_MS) longWaits.push({ at: new Date().toISOString(), ms: Math.round(waitMs), lentMs });
      await sleep(Math.max(0, CHECK_MS - tookMs));
    }
  };
  let number = 0;
  const send = async (): Promise<void> => {
    number += 1;
    const answer = await sending
      .request({
        method: 'POST',
        path: '/api/sms/send',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${secret}`,
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify({
          phone: `+8526${String(1_000_000 + (number % 9_000_000))}`,
          message: `Hello ${number}`,
        }),
      })
      .then(async ({ statusCode, body }) => {
        const text = await body.text();
        return statusCode === 200 ? 'sent' : `${statusCode} ${/\bE_[A-Z_]{1,60}/.exec(text)?.[0] ?? ''}`;
      })
      .catch((error: { code?: string }) => String(error.code));
    if (answer === 'sent') sent += 1;
    else refused[answer] = (refused[answer] ?? 0) + 1;
  };
  /** As many as are due by now; none while all connections wait for their answers. */
  const sendOn = async (): Promise<never> => {
    let underWay = 0;
    for (let due = performance.now(); ; due += 1_000 / pace) {
      await sleep(Math.max(0, due - performance.now()));
      // What could not be sent in time is lost to the rate, not made up for.
      due = Math.max(due, performance.now() - 1_000);
      while (underWay >= CONNECTIONS) await sleep(1);
      underWay += 1;
      void send().finally(() => {
        underWay -= 1;
      });
    }
  };

  process.on('message', () => {
    const sorted = waits.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    const report: BystanderReport = {
      seconds: (performance.now() - since) / 1_000,
      sent,
      refused,
      checks: sorted.length,
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
      over200: sorted.filter((ms) => ms > LONG_MS).length,
      ownMax,
      ownDelayMs: delay.max / 1e6,
      ownOver200: longWaits.filter((wait) => ownOf(wait) > LONG_MS).length,
      longWaits: longWaits.toSorted((a, b) => ownOf(b) - ownOf(a)).slice(0, MOST_LONG_WAITS),
    };
    process.send?.(report);
    waits = [];
    ownMax = 0;
    longWaits = [];
    sent = 0;
    refused = {};
    since = performance.now();
    delay.reset();
  });
  process.once('disconnect', () => process.exit(0));
  await Promise.all([checkOn(), sendOn()]);
};

await main(JSON.parse(process.argv[2] ?? '{}'));
