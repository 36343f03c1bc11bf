import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type LoadAccount, type LoadResult, runLoad } from '../load/load.ts';
import { bodyOf, numberOf } from '../load/load-texts.ts';
import { csvOf, uploadCsv } from '../load/upload.ts';
import { preciseNow } from '../measuring/precise-now.ts';
import type { Customer } from '../posthorn.ts';
import type { EventSink } from '../webhooks/event-sink.ts';
import type { Centre } from './centre.ts';
import type { Stage } from './sending-stage.ts';

const BARE_CLIENT = fileURLToPath(new URL('../abuse/bare-client.ts', import.meta.url));
const PREFIX = '8526';
const PATIENCE_MS = 180_000;
/** Of a message without a receipt: it was accepted, and sent. */
const EVENTS_A_MESSAGE = 2;

/** Messages per second; and how long a call took in milliseconds, if calls are made. */
export interface Rate {
  perSecond: number;
  p50?: number;
  p99?: number;
  /** Calls answered per second: the message may still wait then. */
  answeredPerSecond?: number;
}

const rate = (count: number, fromMs: number, toMs: number): number => (count * 1_000) / (toMs - fromMs);

/** From `from` until the message centre has answered all, or until its last receipt was accepted. */
const untilAll = async (
  centre: Centre,
  count: number,
  { from, receipts }: { from: number; receipts: boolean },
) => {
  const { lastAt, acknowledgedAt } = await centre.until(
    ({ submits, acknowledged }) => submits >= count && (!receipts || acknowledged >= count),
    PATIENCE_MS,
  );
  return rate(count, from, receipts ? acknowledgedAt : lastAt);
};

const timesOf = ({ p50, p99, firstAt, lastAt }: LoadResult, calls: number) => ({
  p50,
  p99,
  answeredPerSecond: rate(calls, firstAt, lastAt),
});

type KannelStage = NonNullable<Stage['kannel']>;

/** With 'callbacks' Kannel calls an address for each receipt; it is the last of them that counts. */
export const kannelHttp = async (
  { kannel, centre, sink }: KannelStage,
  { count, clients, want }: { count: number; clients: number; want: 'sent' | 'receipts' | 'callbacks' },
): Promise<Rate> => {
  const receipts = want !== 'sent';
  await centre.reset();
  await centre.report(receipts);
  await sink.expect(count);
  const callback = want === 'callbacks' ? `&dlr-url=${encodeURIComponent(`${sink.url}?id=%I`)}` : '';
  const load = await runLoad({
    port: kannel.sendPort,
    clients,
    requests: count,
    target: { kind: 'kannel', path: `${kannel.path}${receipts ? `&dlr-mask=3${callback}` : ''}` },
    prefix: PREFIX,
  });
  const sent = await untilAll(centre, count, { from: load.firstAt, receipts });
  const perSecond =
    want === 'callbacks' ? rate(count, load.firstAt, (await sink.until(count, PATIENCE_MS)).lastAt) : sent;
  return { perSecond, ...timesOf(load, count) };
};

export const kannelBatch = async ({ kannel, centre }: KannelStage, count: number): Promise<Rate> => {
  await centre.reset();
  await centre.report(false);
  const numbers = Array.from({ length: count }, (_, at) => numberOf(PREFIX, at));
  const from = preciseNow();
  await kannel.batch(bodyOf('in Hong Kong'), numbers);
  return { perSecond: await untilAll(centre, count, { from, receipts: false }) };
};

let files = 0;

export const posthornCsv = async (
  { posthorn, centre, url }: Pick<Stage, 'posthorn' | 'centre' | 'url'>,
  { customer, count, receipts = false }: { customer: Customer; count: number; receipts?: boolean },
): Promise<Rate> => {
  await centre.reset();
  await centre.report(receipts);
  await posthorn.refill(customer);
  files += 1;
  const csv = csvOf(PREFIX, `of file ${files}, number`, count);
  const from = preciseNow();
  const { accepted } = await uploadCsv(url, { secret: customer.secret, csv });
  const answered = preciseNow();
  if (accepted !== count) throw new Error(`${accepted} of ${count} rows were accepted`);
  const perSecond = await untilAll(centre, count, { from, receipts });
  return { perSecond, answeredPerSecond: rate(count, from, answered) };
};

export interface Calls {
  accounts: LoadAccount[];
  /** Messages of all calls. */
  count: number;
  clients: number;
  messagesPerCall?: number;
}

/** The same calls again and again; each client calls for one of the accounts. */
export const posthornCalls = async (
  { centre, port }: Pick<Stage, 'centre' | 'port'>,
  { accounts, count, clients, messagesPerCall = 1 }: Calls,
): Promise<Rate & { load: LoadResult }> => {
  await centre.reset();
  await centre.report(false);
  const load = await runLoad({
    port,
    clients,
    requests: count / messagesPerCall,
    target: { kind: 'posthorn', accounts, messagesPerCall },
    prefix: PREFIX,
  });
  const perSecond = await untilAll(centre, count, { from: load.firstAt, receipts: false });
  return { perSecond, ...timesOf(load, count), load };
};

/** Does this while the sink expects the events of so many messages, and waits for the last one. */
export const withEvents = async <T>(
  sink: EventSink,
  messages: number,
  work: () => Promise<T>,
): Promise<{ done: T; lastAt: number; eventsPerSecond: number; callsPerEvent: number }> => {
  const events = messages * EVENTS_A_MESSAGE;
  await sink.expect(events);
  const done = await work();
  const { calls, halfAt, lastAt } = await sink.until(events, PATIENCE_MS);
  // The later half: the program has other work at first.
  return { done, lastAt, eventsPerSecond: rate(events / 2, halfAt, lastAt), callsPerEvent: calls / events };
};

/** Events a second that the program's HTTP client posts when it does nothing else. */
export const barePosts = async (sink: EventSink, count: number): Promise<number> => {
  await sink.expect(count);
  const child = fork(BARE_CLIENT, [sink.url, String(count)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the bare client ended with ${code}`);
  const { halfAt, lastAt } = await sink.until(count, PATIENCE_MS);
  return rate(count / 2, halfAt, lastAt);
};

/** Unfinished work of one round must not burden the next. */
export const settle = (ms: number): Promise<void> => sleep(ms);
