import { calls } from '../../contract/calls.ts';
import type { Result } from '../definition.ts';
import type { Customer } from '../posthorn.ts';
import {
  kannelBatch,
  kannelHttp,
  posthornCalls,
  posthornCsv,
  type Rate,
  settle,
  withEvents,
} from './sending-rates.ts';
import type { Sizes } from './sending-sizes.ts';
import type { Stage } from './sending-stage.ts';
import { type Comparison, join, lineOf, median, missingLine, type Pair, plainLine } from './sending-table.ts';

type KannelStage = NonNullable<Stage['kannel']>;

/** Ours against Kannel's. */
interface Contest extends Comparison {
  ours: (stage: Stage, sizes: Sizes) => Promise<Rate>;
  theirs: (kannel: KannelStage, sizes: Sizes) => Promise<Rate>;
  /** What of a round is compared; messages a second unless given. */
  compared?: 'p50';
  /** At most so many milliseconds for 99 of 100 calls. */
  p99Max?: number;
  isAvailable?: boolean;
}

export const MANY = 64;
const FEW = 8;
const BULK = 100;
const OVER_HTTP = 'Kannel over HTTP, file store (no fsync)';

const keyed = (customers: Customer[]) => customers.map(({ secret }) => ({ secret, keyed: true }));
const plain = (customers: Customer[]) => customers.map(({ secret }) => ({ secret, keyed: false }));

const kannelCalls =
  (clients: number, part: (sizes: Sizes) => number): Contest['theirs'] =>
  (kannel, sizes) =>
    kannelHttp(kannel, { count: part(sizes), clients, want: 'sent' });

/** Our calls by one subscriber, with all its events delivered before the next round. */
const bulk = async (stage: Stage, { singles }: Sizes): Promise<Rate> => {
  const load = { accounts: keyed([stage.subscriber]), count: singles, clients: FEW, messagesPerCall: BULK };
  return (await withEvents(stage.sink, singles, () => posthornCalls(stage, load))).done;
};

/** Until the last event has arrived, not only the last message. */
const singlesWithEvents = async (stage: Stage, { subscribed }: Sizes): Promise<Rate> => {
  const load = { accounts: plain([stage.subscriber]), count: subscribed, clients: MANY };
  const { done, lastAt } = await withEvents(stage.sink, subscribed, () => posthornCalls(stage, load));
  return { ...done, perSecond: (subscribed * 1_000) / (lastAt - done.load.firstAt) };
};

export const CONTESTS = {
  file: [
    {
      name: 'file',
      what: 'a CSV file, from its first byte to the last answer of the carrier (1/s)',
      ours: (stage, { rows }) => posthornCsv(stage, { customer: stage.customer, count: rows }),
      theirs: (kannel, { rows }) => kannelBatch(kannel, rows),
      against: 'Kannel in bulk by mtbatch, file store (no fsync)',
      bar: { min: 2.5 },
      aim: 3.5,
    },
  ],
  receipts: [
    {
      name: 'receipts',
      what: 'the same until the last receipt is stored (1/s)',
      ours: (stage, { rows }) =>
        posthornCsv(stage, { customer: stage.customer, count: rows, receipts: true }),
      theirs: (kannel, { singles }) =>
        kannelHttp(kannel, { count: singles, clients: MANY, want: 'receipts' }),
      against: 'Kannel over HTTP with receipts, kept in its memory',
      bar: { min: 4 },
      aim: 6,
    },
  ],
  singles: [
    {
      name: 'singles',
      what: 'single calls of one account, 64 callers, a key on each (1/s)',
      ours: (stage, { singles }) =>
        posthornCalls(stage, { accounts: keyed([stage.customer]), count: singles, clients: MANY }),
      theirs: kannelCalls(MANY, ({ singles }) => singles),
      against: OVER_HTTP,
      bar: { min: 0.7 },
      aim: 0.9,
      p99Max: 100,
    },
    {
      name: 'singlesOfMany',
      what: 'single calls of 64 accounts, a caller and keys each (1/s)',
      ours: (stage, { singles }) =>
        posthornCalls(stage, { accounts: keyed(stage.customers), count: singles, clients: MANY }),
      theirs: kannelCalls(MANY, ({ singles }) => singles),
      against: OVER_HTTP,
      bar: { min: 0.5 },
      aim: 0.8,
      p99Max: 100,
    },
  ],
  callers: [
    {
      name: 'fewCallers',
      what: 'single calls of 8 callers, a key on each (1/s)',
      ours: (stage, { few }) =>
        posthornCalls(stage, { accounts: keyed([stage.customer]), count: few, clients: FEW }),
      theirs: kannelCalls(FEW, ({ few }) => few),
      against: OVER_HTTP,
      bar: { min: 0.5 },
      aim: 0.8,
    },
    {
      name: 'oneCaller',
      what: 'one caller, call after call, a key on each: median (ms)',
      ours: (stage, { one }) =>
        posthornCalls(stage, { accounts: keyed([stage.customer]), count: one, clients: 1 }),
      theirs: kannelCalls(1, ({ one }) => one),
      compared: 'p50',
      against: OVER_HTTP,
      bar: { max: 5 },
      aim: 3,
    },
  ],
  subscribed: [
    {
      name: 'subscribed',
      what: 'single calls of one account with a webhook, until the last event is delivered (1/s)',
      ours: singlesWithEvents,
      theirs: (kannel, { subscribed }) =>
        kannelHttp(kannel, { count: subscribed, clients: MANY, want: 'callbacks' }),
      against: 'Kannel over HTTP with a callback for each receipt',
      bar: { min: 1 },
      aim: 1.5,
    },
  ],
  bulk: [
    {
      name: 'bulk',
      what: 'sendMany with 100 messages a call, 8 callers, keys and a webhook (1/s)',
      ours: bulk,
      theirs: kannelCalls(MANY, ({ singles }) => singles),
      against: OVER_HTTP,
      bar: { min: 2.5 },
      aim: 5,
      isAvailable: 'POST /:channel/sendMany' in calls,
    },
  ],
} satisfies Record<string, Contest[]>;

/** Interleaved rounds of both, so that other work of the machine affects both. */
export const compete = async (stage: Stage, contest: Contest, sizes: Sizes): Promise<Result> => {
  if (contest.isAvailable === false) return missingLine(stage.form, contest);
  const compared = (rate: Rate): number => rate[contest.compared ?? 'perSecond'] ?? 0;
  const rounds: (Pair & { p99: number })[] = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    const theirs = stage.kannel && compared(await contest.theirs(stage.kannel, sizes));
    await settle(sizes.settleMs);
    const ours = await contest.ours(stage, sizes);
    rounds.push({ ours: compared(ours), theirs, p99: ours.p99 ?? 0 });
    await settle(sizes.settleMs);
  }
  const line = lineOf(stage.form, contest, rounds);
  if (contest.p99Max === undefined) return line;
  const p99 = {
    name: `${contest.name}P99Ms`,
    what: '  99 of 100 of these calls within (ms)',
    value: median(rounds.map((round) => round.p99)),
    bar: { max: contest.p99Max },
  };
  return join([line, plainLine(stage.form, p99)]);
};
