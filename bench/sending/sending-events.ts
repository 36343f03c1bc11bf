import { calls } from '../../contract/calls.ts';
import type { Result } from '../definition.ts';
import { barePosts, posthornCalls, posthornCsv, settle, withEvents } from './sending-rates.ts';
import type { Sizes } from './sending-sizes.ts';
import { changeAccount, type Stage } from './sending-stage.ts';
import { type Comparison, join, lineOf, missingLine, type Pair } from './sending-table.ts';

const FILE: Comparison = {
  name: 'subscribedFile',
  what: 'a CSV file of an account with a webhook that answers, until the last message is sent (1/s)',
  against: 'the same file of an account without one',
  bar: { min: 0.7 },
  aim: 0.9,
};
const ONE_A_CALL: Comparison = {
  name: 'events',
  what: 'events delivered, one a call, to one receiver (1/s)',
  against: 'what a bare client (undici) posts to that receiver',
  bar: { min: 0.5 },
};
const MANY_A_CALL: Comparison = {
  name: 'eventsInBulk',
  what: 'events delivered, up to 500 a call (1/s)',
  against: 'the same, one a call',
  bar: { min: 4 },
};
const BESIDE: Comparison = {
  name: 'besideSubscriber',
  what: '63 plain accounts beside one with keys and a webhook, single calls (1/s)',
  against: 'the same 63 beside another plain one',
  // Nothing beyond noise.
  bar: { min: 0.9 },
};

const MOST_A_CALL = 500;
/** Older versions have one event a call only. */
const canBulk = 'PUT /account/:accountId/webhook' in calls;

/** A file of a subscriber beside a plain one, and how fast its events leave. */
export const measureEvents = async (stage: Stage, sizes: Sizes): Promise<Result> => {
  const { form, sink, subscriber, customer, url } = stage;
  const count = sizes.subscribedRows;
  const [files, events, inBulk]: [Pair[], Pair[], Pair[]] = [[], [], []];
  const subscribed = async () => {
    const sent = await withEvents(sink, count, () => posthornCsv(stage, { customer: subscriber, count }));
    await settle(sizes.settleMs);
    return sent;
  };
  const choose = (eventsPerCall: number) =>
    changeAccount(url, subscriber, { path: 'webhook', body: { eventsPerCall } });
  for (let round = 0; round < sizes.rounds; round += 1) {
    const plain = await posthornCsv(stage, { customer, count });
    await settle(sizes.settleMs);
    const { done, eventsPerSecond } = await subscribed();
    files.push({ ours: done.perSecond, theirs: plain.perSecond });
    events.push({ ours: eventsPerSecond, theirs: await barePosts(sink, count) });
    if (!canBulk) continue;
    await choose(MOST_A_CALL);
    inBulk.push({ ours: (await subscribed()).eventsPerSecond, theirs: eventsPerSecond });
    await choose(1);
  }
  return join([
    lineOf(form, FILE, files),
    lineOf(form, ONE_A_CALL, events),
    canBulk ? lineOf(form, MANY_A_CALL, inBulk) : missingLine(form, MANY_A_CALL),
  ]);
};

/** What an account with keys and a webhook costs those beside it. */
export const measureBeside = async (stage: Stage, sizes: Sizes): Promise<Result> => {
  const { form, sink, subscriber, customers } = stage;
  const others = customers.slice(1).map(({ secret }) => ({ secret, keyed: false }));
  const run = async (first: { secret: string; keyed: boolean }) => {
    const accounts = [first, ...others];
    const { load } = await posthornCalls(stage, {
      accounts,
      count: sizes.singles,
      clients: accounts.length,
    });
    const [ofFirst = 0] = load.answered;
    await settle(sizes.settleMs);
    return { ofFirst, perSecond: ((sizes.singles - ofFirst) * 1_000) / (load.lastAt - load.firstAt) };
  };
  const rounds: Pair[] = [];
  for (let round = 0; round < sizes.rounds; round += 1) {
    const theirs = await run({ secret: customers[0]?.secret ?? '', keyed: false });
    await sink.expect(0);
    const ours = await run({ secret: subscriber.secret, keyed: true });
    rounds.push({ ours: ours.perSecond, theirs: theirs.perSecond });
    await sink.until(ours.ofFirst * 2, 60_000);
  }
  return lineOf(form, BESIDE, rounds);
};
