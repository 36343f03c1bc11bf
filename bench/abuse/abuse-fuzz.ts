import type { Bar, Result } from '../definition.ts';
import type { FuzzResult } from '../fuzz/fuzz-scene.ts';
import { readSizes } from '../measuring/database-sizes.ts';
import { watchMemory } from '../measuring/memory.ts';
import { type AbusePart, openBystander, openFuzzOptions, runFuzzer } from './abuse-scene.ts';

/** Fixed, so that a run can be repeated. */
const SEED = 20_261_116;
const UNHURRIED = { warmUpMs: 2_000, aloneMs: 20_000 };
const AT_ONCE = { warmUpMs: 0, aloneMs: 500 };
/** Of the program's log, where it failed. */
const MOST_OUTPUT = 30_000;
/** What a quick run has too few requests for, or what depends on the machine. */
const FULL_BARS: Bar[] = [
  { figure: 'timeouts', max: 0 },
  { figure: 'leastPastShare', min: 0.3 },
  { figure: 'healthMaxMs', max: 200 },
  { figure: 'goodShare', min: 0.8 },
];
/** Fewer requests than this say nothing about a share. */
const SHARE_REQUESTS = 20;

const rowsOf = ({ calls }: FuzzResult) =>
  Object.entries(calls)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([call, { weight, statuses, past, tookMs }]) => {
      const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0);
      return {
        call,
        weight,
        requests,
        'past (%)': requests > 0 ? Math.round((past / requests) * 100) : 0,
        'mean (ms)': requests > 0 ? tookMs / requests : 0,
        answers: Object.entries(statuses)
          .toSorted(([, a], [, b]) => b - a)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', '),
      };
    });

const countOf = ({ calls }: FuzzResult, fits: (status: string) => boolean): number =>
  Object.values(calls)
    .flatMap(({ statuses }) => Object.entries(statuses))
    .reduce((sum, [status, count]) => sum + (fits(status) ? count : 0), 0);

/** They refuse what is not signed, has no one-time ticket, or does not ask for another protocol. */
const isRefusedWhole = (call: string): boolean =>
  /webhooks\/|providers\/|^GET \/(jobs|agents\/connect)/.test(call);

/** How much is made up: ends after so many requests, or so many seconds. */
const QUICK = { requests: 1_500, seconds: 10 };
const WHOLE = { requests: 1_000_000, seconds: 7_200 };

/** Requests made up from the schemas, beside a good customer and a health check. */
export const runFuzz = async ({ posthorn, quick, size }: AbusePart): Promise<Result> => {
  const { requests, seconds } = quick ? QUICK : { ...WHOLE, ...(size && { requests: size }) };
  const program = await posthorn.start([], { LOG_LEVEL: 'error' });
  const options = await openFuzzOptions(posthorn, program, {
    seed: SEED,
    requests,
    seconds,
    clients: quick ? 8 : 24,
  });
  const bystander = await openBystander(posthorn, program, quick ? AT_ONCE : UNHURRIED);
  const { alone } = bystander;
  const memory = watchMemory(program.process.pid);
  const before = await readSizes(posthorn.db);
  let faults = 0;
  const result = await runFuzzer(options, {
    onProgress: (done) => void process.stderr.write(`\r${done} requests `),
    onFault: (fault) => {
      faults += 1;
      console.log(JSON.stringify(fault));
    },
  });
  process.stderr.write('\n');
  const beside = await bystander.report();
  console.log(`refusals of the good customer's messages: ${JSON.stringify(beside.refused)}`);
  if (beside.over200 > 0) console.log(`waits for health above 200 ms: ${JSON.stringify(beside.longWaits)}`);
  const goodEvents = await bystander.countEvents();
  await bystander.stop();
  options.close();
  if (faults > 0) console.log(program.output().slice(-MOST_OUTPUT));
  const isAlive = program.process.exitCode === null && program.process.signalCode === null;
  const after = await readSizes(posthorn.db);
  const grown = after.map(({ table, megabytes, rows }) => {
    const was = before.find((one) => one.table === table);
    return { table, megabytes: megabytes - (was?.megabytes ?? 0), rows: rows - (was?.rows ?? 0) };
  });
  const largest = grown.toSorted((a, b) => b.megabytes - a.megabytes).slice(0, 8);
  console.log(`the tables that grew most (MB, rows): ${JSON.stringify(largest)}`);
  const rows = rowsOf(result);
  const shares = rows
    .filter((row) => !isRefusedWhole(row.call) && row.requests >= SHARE_REQUESTS)
    .map((row) => row['past (%)'] / 100);
  const sum = (of: (line: (typeof grown)[number]) => number) =>
    grown.reduce((total, line) => total + of(line), 0);
  return {
    rows,
    figures: {
      requests: result.requests,
      requestsPerSecond: result.requests / result.seconds,
      crashes: isAlive ? 0 : 1,
      internalErrors: countOf(result, (status) => /^5/.test(status) && status !== '503'),
      unavailable: countOf(result, (status) => status === '503'),
      timeouts: countOf(result, (status) => status === 'timeout'),
      cut: countOf(result, (status) => /^cut|^refused/.test(status)),
      leastPastShare: Math.min(1, ...shares),
      healthAloneMaxMs: alone.max,
      healthMaxMs: beside.max,
      healthP99Ms: beside.p99,
      healthOver200: beside.over200,
      healthChecks: beside.checks,
      healthOwnMaxMs: beside.ownMax,
      healthOwnOver200: beside.ownOver200,
      watcherLateMs: beside.ownDelayMs,
      goodRateAlone: alone.sent / alone.seconds,
      goodRate: beside.sent / beside.seconds,
      goodShare: beside.sent / beside.seconds / (alone.sent / alone.seconds),
      goodEvents,
      memoryMb: memory.most(),
      databaseMb: sum(({ megabytes }) => megabytes),
      databaseRows: sum(({ rows: count }) => count),
      callLogRows: sum(({ table, rows: count }) => (table.startsWith('api_calls') ? count : 0)),
    },
    bars: [
      { figure: 'requests', min: quick ? 1 : requests },
      { figure: 'crashes', max: 0 },
      { figure: 'internalErrors', max: 0 },
      ...(quick ? [] : FULL_BARS),
    ],
  };
};
