import { setTimeout as sleep } from 'node:timers/promises';
import { type Centre, preciseNow } from './centre.ts';
import type { Kannel } from './kannel.ts';
import { runLoad } from './load.ts';
import { bodyOf, numberOf } from './load-texts.ts';
import type { Customer, Posthorn } from './posthorn.ts';
import { csvOf, uploadCsv } from './upload.ts';

const CLIENTS = 64;
const PREFIX = '8526';
const PATIENCE_MS = 180_000;

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

export const kannelHttp = async (
  { kannel, centre }: { kannel: Kannel; centre: Centre },
  { count, receipts }: { count: number; receipts: boolean },
): Promise<Rate> => {
  await centre.reset();
  await centre.report(receipts);
  const path = receipts ? `${kannel.path}&dlr-mask=3` : kannel.path;
  const { firstAt, lastAt, p50, p99 } = await runLoad({
    port: kannel.sendPort,
    clients: CLIENTS,
    requests: count,
    target: { kind: 'kannel', path },
    prefix: PREFIX,
  });
  const perSecond = await untilAll(centre, count, { from: firstAt, receipts });
  return { perSecond, p50, p99, answeredPerSecond: rate(count, firstAt, lastAt) };
};

export const kannelBatch = async (
  { kannel, centre }: { kannel: Kannel; centre: Centre },
  count: number,
): Promise<Rate> => {
  await centre.reset();
  await centre.report(false);
  const numbers = Array.from({ length: count }, (_, at) => numberOf(PREFIX, at));
  const from = preciseNow();
  await kannel.batch(bodyOf('in Hong Kong'), numbers);
  return { perSecond: await untilAll(centre, count, { from, receipts: false }) };
};

let files = 0;

export const posthornCsv = async (
  {
    posthorn,
    centre,
    url,
    customer,
  }: { posthorn: Posthorn; centre: Centre; url: string; customer: Customer },
  { count, receipts }: { count: number; receipts: boolean },
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

export const posthornSingles = async (
  { centre, port, customers }: { centre: Centre; port: number; customers: Customer[] },
  count: number,
): Promise<Rate> => {
  await centre.reset();
  await centre.report(false);
  const { firstAt, lastAt, p50, p99 } = await runLoad({
    port,
    clients: CLIENTS,
    requests: count,
    target: { kind: 'posthorn', secrets: customers.map(({ secret }) => secret) },
    prefix: PREFIX,
  });
  const perSecond = await untilAll(centre, count, { from: firstAt, receipts: false });
  return { perSecond, p50, p99, answeredPerSecond: rate(count, firstAt, lastAt) };
};

/** Unfinished work of one round must not burden the next. */
export const settle = (quick: boolean): Promise<void> => sleep(quick ? 0 : 2_000);
