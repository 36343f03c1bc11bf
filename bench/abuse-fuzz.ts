import { setTimeout as sleep } from 'node:timers/promises';
import { openBystander, openFuzzOptions, PACE, runFuzzer } from './abuse-scene.ts';
import type { Bar, Result } from './definition.ts';
import type { FuzzResult } from './fuzz-scene.ts';
import { watchMemory } from './memory.ts';
import { openPosthorn } from './posthorn.ts';

/** Fixed, so that a run can be repeated. */
const SEED = 20_261_116;
const WARM_UP_MS = 2_000;
/** Of the program's log, where it failed. */
const MOST_OUTPUT = 30_000;
/** What a quick run has too few requests for, or what depends on the machine. */
const FULL_BARS: Bar[] = [
  { figure: 'timeouts', max: 0 },
  { figure: 'leastPastShare', min: 0.3 },
  { figure: 'healthMaxMs', max: 200 },
  { figure: 'goodShare', min: 0.8 },
];

const rowsOf = ({ statuses, past }: FuzzResult): Record<string, string | number>[] =>
  Object.entries(statuses)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([call, counts]) => {
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
      return {
        call,
        requests: all,
        'past (%)': all > 0 ? Math.round(((past[call] ?? 0) / all) * 100) : 0,
        answers: Object.entries(counts)
          .toSorted(([, a], [, b]) => b - a)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', '),
      };
    });

const countOf = ({ statuses }: FuzzResult, fits: (status: string) => boolean): number =>
  Object.values(statuses)
    .flatMap((counts) => Object.entries(counts))
    .reduce((sum, [status, count]) => sum + (fits(status) ? count : 0), 0);

/** Signed webhooks refuse everything that is not signed. */
const isRefusedWhole = (call: string): boolean => /webhooks\/|providers\//.test(call);

/** How much is made up: ends after so many requests, or so many seconds. */
const AMOUNT = { quick: { requests: 2_000, seconds: 15 }, full: { requests: 1_000_000, seconds: 1_800 } };

/** Requests made up from the schemas, beside a good customer and a health check. */
export const runFuzz = async (
  quick: boolean,
  folder: string,
  amount: { requests: number; seconds: number; seed?: number } = AMOUNT[quick ? 'quick' : 'full'],
): Promise<Result> => {
  const posthorn = await openPosthorn(folder);
  try {
    const program = await posthorn.start([], { LOG_LEVEL: 'error' });
    const [good] = await posthorn.customers(1);
    if (!good) throw new Error('no customer');
    const options = await openFuzzOptions(posthorn, program, {
      seed: SEED,
      ...amount,
      clients: quick ? 8 : 24,
    });
    const bystander = openBystander({ url: program.url, secret: good.secret, pace: PACE });
    await sleep(quick ? 0 : WARM_UP_MS);
    await bystander.report();
    await sleep(quick ? 500 : 20_000);
    const alone = await bystander.report();
    const memory = watchMemory(program.process.pid);
    let faults = 0;
    const result = await runFuzzer(options, {
      onProgress: (requests) => void process.stderr.write(`\r${requests} requests `),
      onFault: (fault) => {
        faults += 1;
        console.log(JSON.stringify(fault));
      },
    });
    process.stderr.write('\n');
    const beside = await bystander.report();
    bystander.stop();
    options.close();
    if (faults > 0) console.log(program.output().slice(-MOST_OUTPUT));
    const isAlive = program.process.exitCode === null && program.process.signalCode === null;
    const shares = rowsOf(result)
      .filter(({ call, requests }) => !isRefusedWhole(String(call)) && Number(requests) > 0)
      .map((row) => Number(row['past (%)']) / 100);
    return {
      rows: rowsOf(result),
      figures: {
        requests: result.requests,
        requestsPerSecond: result.requests / result.seconds,
        crashes: isAlive ? 0 : 1,
        internalErrors: countOf(result, (status) => /^5/.test(status) && status !== '503'),
        unavailable: countOf(result, (status) => status === '503'),
        timeouts: countOf(result, (status) => status === 'timeout'),
        cut: countOf(result, (status) => /^cut|^refused/.test(status)),
        leastPastShare: Math.min(...shares),
        healthAloneMaxMs: alone.max,
        healthMaxMs: beside.max,
        healthP99Ms: beside.p99,
        healthOver200: beside.over200,
        watcherLateMs: beside.ownDelayMs,
        goodRateAlone: alone.sent / alone.seconds,
        goodRate: beside.sent / beside.seconds,
        goodShare: beside.sent / beside.seconds / (alone.sent / alone.seconds),
        memoryMb: memory.most(),
      },
      bars: [
        { figure: 'requests', min: quick ? 1 : 1_000_000 },
        { figure: 'crashes', max: 0 },
        { figure: 'internalErrors', max: 0 },
        ...(quick ? [] : FULL_BARS),
      ],
    };
  } finally {
    await posthorn.close();
  }
};
