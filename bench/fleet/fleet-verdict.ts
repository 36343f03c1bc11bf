import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { reconcile } from '../../server/traffic/outbox/testing/index.ts';
import type { Fleet } from './fleet-scene.ts';

const LOOK_MS = 1_000;
/** A receipt may be compared with lost answers after this; usually a task does so every minute. */
const RECEIPTS_MS = 2_000;

interface Sent {
  recipient: string;
  text: string;
  status: string;
  unknown: boolean;
  delivered: boolean;
  moved: boolean;
  method: string;
}

const readSent = async ({ db }: Fleet): Promise<Sent[]> => {
  const { rows } = await sql<Sent>`
    select m.recipient, m.message as text, m.status, m.unknown_since is not null as unknown,
      m.delivered_at is not null as delivered, l.method,
      coalesce(m.route @> '[{"why": "LANE_DOWN"}]', false) as moved
    from messages m join lanes l on l.id = m.lane_id where m.type = 'outgoing'`.execute(db);
  return rows;
};

/** How often each incoming message is stored, by its text. */
const readIncoming = async ({ db }: Fleet): Promise<number[]> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select message as text from messages where type = 'incoming' union all select message from unassigned_inbound
    ) incoming group by text`.execute(db);
  return rows.map(({ count }) => count);
};

/** What may still change: all but what has arrived, and what has been in doubt for so long that nobody will tell. */
const countOpen = async ({ db }: Fleet, doubtMs: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages where type = 'outgoing'
      and not (status = 'SUCCESS' and delivered_at is not null)
      and (unknown_since is null or status = 'SUCCESS'
        or unknown_since > clock_timestamp() - ${doubtMs} * interval '1 ms')`.execute(db);
  return rows[0]?.count ?? 0;
};

interface Patience {
  /** For a receipt of a message that is in doubt. */
  doubtMs: number;
  /** For anything at all. */
  quietMs: number;
}

/** Until all receipts, late results and incoming messages are there, or nothing more comes. */
export const settle = async (fleet: Fleet, { doubtMs, quietMs }: Patience): Promise<void> => {
  const { incoming } = await fleet.emulator.counts();
  let least = Number.POSITIVE_INFINITY;
  for (let end = Date.now() + quietMs; Date.now() < end; await sleep(LOOK_MS)) {
    await reconcile(fleet.db, { settledMs: RECEIPTS_MS });
    const open = (await countOpen(fleet, doubtMs)) + incoming - (await readIncoming(fleet)).length;
    if (open <= 0) return;
    if (open < least) end = Date.now() + quietMs;
    least = Math.min(least, open);
  }
};

/** What became of every message, by what the modems counted themselves. */
export const judgeFleet = async (fleet: Fleet) => {
  const sent = await readSent(fleet);
  const { messages, incoming } = await fleet.emulator.counts();
  const stored = await readIncoming(fleet);
  const times = ({ recipient, text }: Sent): number => messages.get(`${recipient} ${text}`) ?? 0;
  const count = (passes: (one: Sent) => boolean, of = sent): number => of.filter(passes).length;
  const successes = sent.filter(({ status }) => status === 'SUCCESS');
  const isInDoubt = ({ status, unknown }: Sent): boolean => unknown && status !== 'SUCCESS';
  const movedOf = (part: string): number => count(({ moved, text }) => moved && text.startsWith(part));
  return {
    messages: sent.length,
    bySerialport: count(({ method }) => method === 'sim-modem', successes),
    byGammu: count(({ method }) => method === 'gammu', successes),
    twice: count((one) => times(one) > 1),
    lost: count((one) => times(one) !== 1, successes),
    missing: count(({ status, unknown }) => status === 'PENDING' && !unknown),
    failed: count((one) => !['SUCCESS', 'PENDING'].includes(one.status) && !isInDoubt(one)),
    withoutReceipt: count(({ delivered }) => !delivered, successes),
    inDoubt: count(isInDoubt),
    inDoubtAndSent: count((one) => isInDoubt(one) && times(one) === 1),
    movedFromAway: movedOf('Away'),
    movedFromDown: movedOf('Down'),
    incoming,
    incomingMissing: incoming - stored.length,
    incomingTwice: stored.filter((times) => times > 1).length,
  };
};
