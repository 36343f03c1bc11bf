import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { MessageStatus } from '../../contract/traffic/messages.ts';
import { compareBalances } from '../../server/customer/wallet/testing/index.ts';
import { findMiscounted } from '../../test/miscounted.ts';
import type { Plan, Sent } from './sending-round.ts';
import type { Scene } from './sending-scene.ts';

const EVENTS_MS = 180_000;
const LOOK_MS = 500;

interface Row extends Sent {
  id: string;
  status: MessageStatus;
  /** In doubt: it was claimed when something was killed. */
  isUnknown: boolean;
  hasReceipt: boolean;
  isDelivered: boolean;
  isSubscribed: boolean;
  sentEarly: boolean;
}

const readRows = async ({ db, subscriber }: Scene, { round }: Plan): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select id, ltrim(recipient, '+') as digits, message as text, status,
      unknown_since is not null or status = 'FAILED_WITH_EXCEPTION' as "isUnknown",
      provider_message_id is not null as "hasReceipt", delivered_at is not null as "isDelivered",
      account_id = ${subscriber.accountId} as "isSubscribed",
      coalesce(sent_at < scheduled_at, false) as "sentEarly"
    from messages where message like ${`Round ${round},%`}`.execute(db);
  return rows;
};

const keyOf = ({ digits, text }: Sent): string => `${digits} ${text}`;

/** The events that the subscriber must have got of these messages, as the receiver records them. */
const eventsOf = (rows: Row[]): string[] =>
  rows.flatMap(({ id, status, isUnknown, isDelivered }) => [
    `message.accepted ${id}`,
    ...(status === 'SUCCESS' ? [`message.sent ${id}`] : []),
    ...(isDelivered ? [`message.delivered ${id}`] : []),
    ...(status === 'FAILED' && !isUnknown ? [`message.failed ${id}`] : []),
  ]);

/** Waits until the receiver has all events; returns how many it did not get. */
const countMissingEvents = async ({ record }: Scene, rows: Row[]): Promise<number> => {
  const wanted = eventsOf(rows.filter(({ isSubscribed }) => isSubscribed));
  for (const end = Date.now() + EVENTS_MS; ; await sleep(LOOK_MS)) {
    const seen = new Set((await readFile(record, 'utf8')).split('\n'));
    const missing = wanted.filter((event) => !seen.has(event)).length;
    if (missing === 0 || Date.now() > end) return missing;
  }
};

const countChunks = async ({ db }: Scene): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from outbox_chunks`.execute(db);
  return rows[0]?.count ?? 0;
};

/**
 * What both accounts own, and what they paid for messages that did not fail: refills aside, the sum never changes. Read
 * by one statement, because a late receipt may fail a message of any round and give its price back.
 */
export const readWorth = async ({ db, plain, subscriber }: Scene): Promise<bigint> => {
  const { rows } = await sql<{ worth: bigint }>`
    select ((select sum(balance_micros) from wallets where account_id = any(mine))
      + (select coalesce(sum(price_micros), 0) from messages where account_id = any(mine) and status <> 'FAILED')
    )::bigint as worth
    from (select array[${plain.accountId}, ${subscriber.accountId}]::uuid[] as mine) accounts`.execute(db);
  return rows[0]?.worth ?? 0n;
};

/** What became of a round, when nothing waits any more. */
export const judge = async (
  scene: Scene,
  plan: Plan,
  { worthBefore, doubtAllowed }: { worthBefore: bigint; doubtAllowed: number },
) => {
  const rows = await readRows(scene, plan);
  const missingEvents = await countMissingEvents(scene, rows);
  const taken = await scene.centre.taken();
  const timesOf = (sent: Sent): number => taken.get(keyOf(sent)) ?? 0;
  const stored = new Set(rows.map(keyOf));
  const count = (isSo: (row: Row) => boolean): number => rows.filter(isSo).length;
  const wanted = [...plan.plain, ...plan.subscribed, ...plan.scheduled, ...plan.singles, ...plan.bulk];
  // The message centre closes the connection after the first, and never answers the second.
  const endingIn = (ending: string) => wanted.filter((one) => one.digits.endsWith(ending)).length;
  const { window } = scene;
  const unknown = count(({ isUnknown }) => isUnknown);
  const allowed = (doubtAllowed + endingIn('9006')) * window + endingIn('9005');
  const { differing, totalMicros } = await compareBalances(scene.db);
  return {
    sent: count(({ status }) => status === 'SUCCESS'),
    failed: count(({ status }) => status === 'FAILED'),
    unknown,
    unknownNeverTaken: count((row) => row.isUnknown && timesOf(row) === 0),
    unknownBeyondWindow: Math.max(0, unknown - allowed),
    withoutOutcome: count(({ status, isUnknown }) => status === 'PENDING' && !isUnknown),
    lost: wanted.filter((one) => !stored.has(keyOf(one))).length,
    acceptedTwice: rows.length - stored.size,
    takenTwice: count((row) => timesOf(row) > 1),
    sentButNotTaken: count((row) => row.status === 'SUCCESS' && timesOf(row) !== 1),
    failedButTaken: count((row) => row.status === 'FAILED' && !row.hasReceipt && timesOf(row) > 0),
    optedOutSent: plan.optedOut.filter((one) => stored.has(keyOf(one)) || timesOf(one) > 0).length,
    sentEarly: count(({ sentEarly }) => sentEarly),
    missingEvents,
    stillInChunks: await countChunks(scene),
    miscounted: (await findMiscounted(scene.db)).length,
    missingMicros: Math.abs(Number(worthBefore - (await readWorth(scene)))),
    differences: differing.length + Number(totalMicros !== 0n),
  };
};
