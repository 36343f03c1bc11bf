import type { Definition, Result } from '../definition.ts';
import { measureEmail } from '../email-measure.ts';
import { describeMachine } from '../measuring/machine.ts';
import { kannelVersion, MISSING_KANNEL } from './kannel.ts';
import { CONTESTS, compete } from './sending-contests.ts';
import { measureCounters } from './sending-counters.ts';
import { measureCrash } from './sending-crash.ts';
import { measureBeside, measureEvents } from './sending-events.ts';
import { measureIdle, measureMillion } from './sending-million.ts';
import { FULL, QUICK, type Sizes } from './sending-sizes.ts';
import { FORMS, type Form, openStage, type Stage } from './sending-stage.ts';
import { join } from './sending-table.ts';

type Measure = (stage: Stage, sizes: Sizes) => Promise<Result>;

const contest =
  (part: keyof typeof CONTESTS): Measure =>
  async (stage, sizes) => {
    const results: Result[] = [];
    for (const one of CONTESTS[part]) results.push(await compete(stage, one, sizes));
    return join(results);
  };

/** In this order, on one stage: what leaves work behind is last. */
const ON_STAGE: Record<string, Measure> = {
  file: contest('file'),
  events: measureEvents,
  singles: contest('singles'),
  callers: contest('callers'),
  subscribed: contest('subscribed'),
  beside: measureBeside,
  bulk: contest('bulk'),
  receipts: contest('receipts'),
  latency: measureIdle,
  counters: measureCounters,
  million: measureMillion,
};
const PARTS = [...FORMS, ...Object.keys(ON_STAGE), 'crash', 'email'];

/** A quick run has to show of the second form only that it starts and sends. */
const QUICK_SPLIT = ['file'];

/** A whole run takes minutes: it says what it has found so far. */
const timed = async (what: string, work: Promise<Result>): Promise<Result> => {
  const from = performance.now();
  const result = await work;
  const found = result.rows.map(({ Posthorn = '', ratio = '' }) => (ratio === '' ? Posthorn : ratio));
  console.log(`${what}: ${found.join(', ')} (${((performance.now() - from) / 1_000).toFixed(0)} s)`);
  return result;
};

const measureForm = async (form: Form, parts: string[], sizes: Sizes): Promise<Result> => {
  const results: Result[] = [];
  const onStage = Object.entries(ON_STAGE).filter(([part]) => parts.includes(part));
  if (onStage.length > 0) {
    const withKannel = onStage.some(([part]) => part in CONTESTS);
    const stage = await openStage({ form, customers: sizes.accounts, withKannel });
    try {
      if (withKannel && !stage.kannel) console.log(`${MISSING_KANNEL}\n`);
      for (const [part, measure] of onStage)
        results.push(await timed(`${form} ${part}`, measure(stage, sizes)));
    } finally {
      await stage.close();
    }
  }
  if (parts.includes('crash')) results.push(await timed(`${form} crash`, measureCrash(form, sizes)));
  return join(results);
};

const emails = async (quick: boolean): Promise<Result> => {
  const { posthornPerSecond, nodemailerPerSecond, ratio } = await measureEmail({ quick });
  return {
    rows: [
      {
        what: 'emails to a mail server, from handing over to its yes (1/s)',
        Posthorn: Math.round(posthornPerSecond),
        against: "nodemailer's pool",
        theirs: Math.round(nodemailerPerSecond),
        ratio: ratio.toFixed(2),
        bar: '≥ 1.5',
      },
    ],
    figures: { emailPerSecond: posthornPerSecond, nodemailerPerSecond, emailRatio: ratio },
    bars: [{ figure: 'emailRatio', min: 1.5 }],
  };
};

const definition: Definition = {
  title: `Sending, side by side with Kannel ${kannelVersion()}: one bind, window 100, the same message centre; ours on a PostgreSQL with fsync`,
  parts: PARTS,
  run: async ({ quick, parts }) => {
    console.log(`${describeMachine()}\n`);
    const named = FORMS.filter((form) => parts.includes(form));
    const forms = named.length > 0 ? named : FORMS;
    const wanted = parts.filter((part) => !FORMS.some((form) => form === part));
    const chosen = wanted.length > 0 ? wanted : PARTS;
    const results: Result[] = [];
    for (const form of forms) {
      const isShort = quick && parts.length === 0 && form === 'split';
      results.push(await measureForm(form, isShort ? QUICK_SPLIT : chosen, quick ? QUICK : FULL));
    }
    if (chosen.includes('email')) results.push(await emails(quick));
    console.log('');
    return join(results);
  },
};
export default definition;
