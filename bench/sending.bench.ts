import type { Bar, Definition, Result } from './definition.ts';
import { measureEmail } from './email-measure.ts';
import { kannelVersion, MISSING_KANNEL } from './kannel.ts';
import { describeMachine } from './machine.ts';
import { watchMemory } from './memory.ts';
import { measureCounters } from './sending-counters.ts';
import { timeSingles } from './sending-latency.ts';
import { kannelBatch, kannelHttp, posthornCsv, posthornSingles, type Rate, settle } from './sending-rates.ts';
import { openStage, type Stage } from './sending-stage.ts';
import { csvOf, uploadCsv } from './upload.ts';

/** How much of each; `quick` only shows that all of it runs. */
const SIZES = {
  full: { rounds: 3, rows: 100_000, singles: 40_000, accounts: 64, timed: 200, million: 1_000_000 },
  quick: { rounds: 1, rows: 300, singles: 200, accounts: 4, timed: 5, million: 2_000 },
};
type Sizes = (typeof SIZES)['full'];

/** Their cost is less than the difference between rounds. */
const COUNTER_ROUNDS = 7;
const PARTS = ['csv', 'receipts', 'singles', 'counters', 'latency', 'million', 'together', 'email'] as const;
type Part = (typeof PARTS)[number];

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

interface Contest {
  what: string;
  /** The figures' common name. */
  name: string;
  ours: (stage: Stage, sizes: Sizes) => Promise<Rate>;
  theirs: (kannel: NonNullable<Stage['kannel']>, sizes: Sizes) => Promise<Rate>;
  against: string;
  /** At least this many times as fast. */
  bar: number;
}

const AGAINST_HTTP = 'Kannel over HTTP, file store (no fsync)';
const kannelSingles: Contest['theirs'] = (kannel, { singles }) =>
  kannelHttp(kannel, { count: singles, receipts: false });

const CONTESTS: Record<'csv' | 'receipts' | 'singles', Contest[]> = {
  csv: [
    {
      what: 'a CSV file, from its first byte to the last answer of the carrier',
      name: 'csv',
      ours: (stage, { rows }) => posthornCsv(stage, { count: rows, receipts: false }),
      theirs: (kannel, { rows }) => kannelBatch(kannel, rows),
      against: 'Kannel in bulk by mtbatch, file store (no fsync)',
      bar: 1.5,
    },
  ],
  receipts: [
    {
      what: 'the same until the last receipt is stored',
      name: 'receipts',
      ours: (stage, { rows }) => posthornCsv(stage, { count: rows, receipts: true }),
      theirs: (kannel, { singles }) => kannelHttp(kannel, { count: singles, receipts: true }),
      against: 'Kannel over HTTP with receipts, kept in its memory',
      bar: 3,
    },
  ],
  singles: [
    {
      what: 'single calls, 64 at a time, of one account',
      name: 'singles',
      ours: (stage, { singles }) => posthornSingles({ ...stage, customers: [stage.customer] }, singles),
      theirs: kannelSingles,
      against: AGAINST_HTTP,
      bar: 0.8,
    },
    {
      what: 'single calls, 64 at a time, of as many accounts',
      name: 'singlesOfMany',
      ours: (stage, { singles }) => posthornSingles(stage, singles),
      theirs: kannelSingles,
      against: AGAINST_HTTP,
      bar: 0.8,
    },
  ],
};

/** Interleaved rounds of both, so that other work of the machine affects both. */
const compete = async (stage: Stage, contest: Contest, sizes: Sizes, quick: boolean): Promise<Result> => {
  const { name, what, against, bar } = contest;
  const rounds: { ours: Rate; theirs: Rate | undefined }[] = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    const theirs = stage.kannel && (await contest.theirs(stage.kannel, sizes));
    await settle(quick);
    rounds.push({ ours: await contest.ours(stage, sizes), theirs });
    await settle(quick);
  }
  const ours = median(rounds.map((round) => round.ours.perSecond));
  const answered = median(rounds.map((round) => round.ours.answeredPerSecond ?? 0));
  const p99 = median(rounds.map((round) => round.ours.p99 ?? 0));
  const theirs = stage.kannel && median(rounds.map((round) => round.theirs?.perSecond ?? 0));
  const ratio =
    theirs && median(rounds.map((round) => round.ours.perSecond / (round.theirs?.perSecond ?? 1)));
  return {
    rows: [
      {
        what,
        'Posthorn (1/s)': Math.round(ours),
        'accepted at (1/s)': Math.round(answered),
        'p99 (ms)': p99 ? Math.round(p99) : '',
        against: theirs === undefined ? '' : against,
        'Kannel (1/s)': theirs === undefined ? '' : Math.round(theirs),
        ratio: ratio === undefined ? 'not measured' : ratio.toFixed(2),
      },
    ],
    figures: {
      [`${name}PerSecond`]: ours,
      [`${name}AcceptedPerSecond`]: answered,
      ...(p99 > 0 && { [`${name}P99Ms`]: p99 }),
      ...(theirs !== undefined && { [`${name}KannelPerSecond`]: theirs }),
      ...(ratio !== undefined && { [`${name}Ratio`]: ratio }),
    },
    bars: [{ figure: `${name}Ratio`, min: bar }, ...(p99 > 0 ? [{ figure: `${name}P99Ms`, max: 100 }] : [])],
  };
};

const milliseconds = (
  what: string,
  figure: string,
  { medianMs, p99Ms }: { medianMs: number; p99Ms: number },
  max: number,
): Result => ({
  rows: [{ what, 'median (ms)': medianMs, 'p99 (ms)': p99Ms }],
  figures: { [`${figure}Ms`]: medianMs, [`${figure}P99Ms`]: p99Ms },
  bars: [{ figure: `${figure}Ms`, max }],
});

const measureIdle = async (stage: Stage, { timed }: Sizes): Promise<Result> => {
  // The first ones run cold code.
  await timeSingles(stage, Math.ceil(timed / 4));
  const latency = await timeSingles(stage, timed);
  return milliseconds('a single message to an idle lane, from the call to the carrier', 'idle', latency, 30);
};

/** A file of a million, on a carrier that accepts little at first; then at full speed, with singles in between. */
const measureMillion = async (stage: Stage, sizes: Sizes, form: string): Promise<Result> => {
  const { centre, posthorn, customer, web, worker, url } = stage;
  const watched =
    web === worker
      ? [{ role: 'both', program: web }]
      : [
          { role: 'web', program: web },
          { role: 'worker', program: worker },
        ];
  const memories = watched.map(({ role, program }) => ({ role, memory: watchMemory(program.process.pid) }));
  await posthorn.refill(customer, 4);
  await centre.reset();
  await centre.report(false);
  await centre.limit(500);
  await uploadCsv(url, {
    secret: customer.secret,
    csv: csvOf('8526', 'of a million, number', sizes.million),
  });
  await centre.limit(1e9);
  const busy = await timeSingles(stage, sizes.timed);
  const latency = milliseconds('the same while a file of a million goes out on the lane', 'busy', busy, 100);
  const rows = memories.map(({ role, memory }) => ({ role, most: Math.round(memory.most()) }));
  const figure = (role: string) => (role === 'both' ? 'togetherMegabytes' : `${role}Megabytes`);
  const memory: Result = {
    rows: rows.map(({ role, most }) => ({
      what: `most memory of ${role === 'both' ? 'web and worker in one process' : `the ${role} role`} with a million waiting (MB)`,
      MB: most,
    })),
    figures: Object.fromEntries(rows.map(({ role, most }) => [figure(role), most])),
    bars: rows.map(({ role }): Bar => ({ figure: figure(role), max: role === 'both' ? 600 : 300 })),
  };
  return form === 'together' ? memory : join([latency, memory]);
};

const emails = async (quick: boolean): Promise<Result> => {
  const { posthornPerSecond, nodemailerPerSecond, ratio } = await measureEmail({ quick });
  return {
    rows: [
      {
        what: 'emails to a mail server, from handing over to its yes',
        'Posthorn (1/s)': Math.round(posthornPerSecond),
        against: `nodemailer's pool (${Math.round(nodemailerPerSecond)} a second)`,
        ratio: ratio.toFixed(2),
      },
    ],
    figures: { emailPerSecond: posthornPerSecond, nodemailerPerSecond, emailRatio: ratio },
    bars: [{ figure: 'emailRatio', min: 1.5 }],
  };
};

const join = (results: Result[]): Result => ({
  rows: results.flatMap(({ rows }) => rows),
  figures: Object.assign({}, ...results.map(({ figures }) => figures)),
  bars: results.flatMap(({ bars }) => bars),
});

const run = async (parts: Part[], sizes: Sizes, quick: boolean): Promise<Result> => {
  const results: Result[] = [];
  const apart = parts.filter((part) => part !== 'together' && part !== 'email');
  if (apart.length > 0) {
    const withKannel = apart.some((part) => part in CONTESTS);
    const stage = await openStage({ customers: sizes.accounts, withKannel });
    try {
      if (withKannel && !stage.kannel) console.log(`${MISSING_KANNEL}\n`);
      for (const part of apart) {
        if (part === 'counters')
          results.push(await measureCounters(stage, { ...sizes, rounds: quick ? 1 : COUNTER_ROUNDS, quick }));
        else if (part === 'latency') results.push(await measureIdle(stage, sizes));
        else if (part === 'million') results.push(await measureMillion(stage, sizes, 'apart'));
        else for (const contest of CONTESTS[part]) results.push(await compete(stage, contest, sizes, quick));
      }
    } finally {
      await stage.close();
    }
  }
  if (parts.includes('together')) {
    const stage = await openStage({ customers: 1, together: true, withKannel: false });
    try {
      results.push(await measureMillion(stage, sizes, 'together'));
    } finally {
      await stage.close();
    }
  }
  if (parts.includes('email')) results.push(await emails(quick));
  return join(results);
};

const definition: Definition = {
  title: `Sending, side by side with Kannel ${kannelVersion()}: one bind, window 100, the same message centre; ours on a PostgreSQL with fsync`,
  parts: PARTS,
  run: async ({ quick, parts }) => {
    console.log(`${describeMachine()}\n`);
    const wanted = parts.length > 0 ? (parts as Part[]) : [...PARTS];
    return run(wanted, quick ? SIZES.quick : SIZES.full, quick);
  },
};
export default definition;
