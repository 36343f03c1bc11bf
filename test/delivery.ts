import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { vi } from 'vitest';
import type { AccountId } from '../contract/customer/accounts.ts';
import type { BatchId, MessageId, MessageStatus } from '../contract/traffic/messages.ts';
import { spend } from '../server/customer/wallet/index.ts';
import { type Delivery, type DeliveryTiming, runDelivery } from '../server/traffic/delivery/index.ts';
import {
  type Carrier,
  type CarrierEvents,
  endWorker,
  type Lane,
  newWorker,
  type Outgoing,
  openLanes,
  renewWorker,
  type SendOutcome,
  takeLeases,
  wakeLanes,
} from '../server/traffic/lanes/index.ts';
import { findMiscounted } from './miscounted.ts';
import { openTestWallet } from './wallet.ts';

type Answer = SendOutcome | 'never';

/** A carrier in memory that does what the test says and keeps what it was given. */
export const scriptedCarrier = (window = 10) => {
  const sent: Outgoing[] = [];
  const script = {
    answer: (message: Outgoing): Answer | Promise<Answer> => ({
      outcome: 'accepted',
      providerMessageId: `c-${message.id}`,
    }),
    up: true,
    open: async (): Promise<void> => {},
    opened: 0,
    events: undefined as CarrierEvents | undefined,
  };
  const carrier: Carrier = {
    provider: 'scripted',
    channel: 'sms',
    simulated: false,
    window,
    open: async (events) => {
      await script.open();
      script.opened += 1;
      script.events = events;
    },
    isUp: () => script.up,
    send: async (message) => {
      sent.push(message);
      const answer = await script.answer(message);
      return answer === 'never' ? new Promise<SendOutcome>(() => {}) : answer;
    },
    close: async () => {},
  };
  const setUp = (up: boolean): void => {
    script.up = up;
    script.events?.state({ up, reason: up ? '' : 'cut' });
  };
  return { carrier, sent, script, setUp };
};
export type ScriptedCarrier = ReturnType<typeof scriptedCarrier>;

export const refusal = (retryable: boolean): SendOutcome => ({
  outcome: 'refused',
  code: retryable ? 'BUSY' : 'NO_SUCH_NUMBER',
  reason: 'No.',
  retryable,
});

/** Everything faster than in production. */
const TIMING: Partial<DeliveryTiming> = {
  leaseMs: 600,
  pollMs: 50,
  gatherMs: 10,
  // Longer than a busy machine keeps this process waiting: what has no answer by then is unknown.
  answerMs: 2_000,
  openMs: 1_000,
  putBackMs: 400,
  firstRetryMs: 50,
  longestRetryMs: 200,
  drainMs: 300,
  failoverEveryMs: 50,
};

export const PRICE_MICROS = 32_051n;

interface Batch {
  accountId: AccountId;
  lane: Lane;
  count?: number;
  priority?: number;
  segments?: number;
  /** What it is sent from, if it names one. */
  from?: string;
  text?: string;
  recipient?: (at: number) => string;
}

/** The delivery room on a real database. */
export const openTestDelivery = async () => {
  const room = await openTestWallet();
  const running = new Set<Delivery>();
  const warnings: string[] = [];
  const log = {
    info: () => {},
    warn: (_: object, text: string) => void warnings.push(text),
    error: (facts: { err?: Error }, text: string) => void warnings.push(`${text}: ${facts.err?.message}`),
  };
  const lanes: Lane[] = [];
  /** The settings of all workers here. */
  const settings = newWorker('test');

  const addOne = async (carrier: () => Carrier, { simulated = false, sender = '' } = {}): Promise<Lane> => {
    const name = `lane-${randomUUID()}`;
    const definition = {
      name,
      channel: 'sms' as const,
      provider: 'scripted',
      simulated,
      preference: lanes.length,
      route: 'sms',
      sender,
    };
    const opened = await openLanes(room.db, settings, [...lanes, { ...definition, carrier }]);
    // Nobody waits for it to serve anything.
    await endWorker(room.db, settings.id);
    const lane = opened.at(-1) as Lane;
    lanes.push(lane);
    return lane;
  };
  let adding: Promise<unknown> = Promise.resolve();
  /** Preferred in the order in which they are added, one after the other. */
  const addLane = (...args: Parameters<typeof addOne>): Promise<Lane> => {
    const added = adding.then(() => addOne(...args));
    adding = added;
    return added;
  };

  /** Removes all current lanes from the settings. */
  const removeLanes = async (): Promise<void> => {
    lanes.length = 0;
    await sql`delete from workers`.execute(room.db);
    await openLanes(room.db, settings, []);
  };

  /** Takes a lane as a worker of its own would, which lives for this long. */
  const takeLane = async (laneId: number, holder: string, leaseMs = 60_000): Promise<boolean> => {
    const worker = newWorker(randomUUID());
    await renewWorker(room.db, { ...worker, leaseMs, serving: true, laneIds: [laneId] });
    return (await takeLeases(room.db, worker.id, [{ laneId, holder }])).length > 0;
  };

  /** The worker that took it dies. */
  const dieOn = async (laneId: number): Promise<void> => {
    await sql`update workers set leased_until = clock_timestamp()
      where id = (select worker_id from lanes where id = ${laneId})`.execute(room.db);
  };

  /** A worker in this process. */
  const work = (
    served: Lane[],
    timing: Partial<DeliveryTiming> = {},
    options: Partial<Pick<Parameters<typeof runDelivery>[0], 'onInbound' | 'openCarrier'>> = {},
  ): Delivery => {
    const delivery = runDelivery({
      ...room,
      log,
      worker: newWorker(randomUUID()),
      lanes: served,
      timing: { ...TIMING, ...timing },
      ...options,
    });
    running.add(delivery);
    return delivery;
  };

  const accept = async ({
    accountId,
    lane,
    count = 1,
    priority = 0,
    segments = 1,
    from,
    text = 'hello',
    recipient = (at) => `+85261${String(at).padStart(6, '0')}`,
  }: Batch): Promise<MessageId[]> => {
    const batchId = randomUUID() as BatchId;
    const ids = Array.from({ length: count }, () => randomUUID() as MessageId);
    await room.db.transaction().execute(async (trx) => {
      const totalMicros = PRICE_MICROS * BigInt(count);
      const deps = { db: trx, queue: { send: async () => {} } };
      const paid = await spend(deps, { accountId, amountMicros: totalMicros, cause: `batch:${batchId}` });
      await sql`insert into batches (id, account_id, channel, kind, test, capture_id, accepted, total_micros)
        values (${batchId}, ${accountId}, 'sms', 'CSV', false, ${paid.entryId}::bigint, ${count}, ${totalMicros})`.execute(
        trx,
      );
      await sql`insert into messages (id, account_id, batch_id, lane_id, channel, type, status, recipient_raw,
          recipient, sender, message, segment, price_micros, priority, created_at, updated_at)
        select id, ${accountId}, ${batchId}, ${lane.id}, 'sms', 'outgoing', 'PENDING', recipient, recipient,
          ${from ?? null}, ${text}, ${segments}, ${PRICE_MICROS}, ${priority}, now(), now()
        from unnest(${ids}::uuid[], ${ids.map((_, at) => recipient(at))}::text[]) as given (id, recipient)`.execute(
        trx,
      );
      await wakeLanes(trx, [lane.id]);
    });
    return ids;
  };

  const read = async (ids: MessageId[]) => {
    const { rows } = await sql<{
      id: MessageId;
      status: MessageStatus;
      attempts: number;
      code: string;
      providerMessageId: string | null;
      unknownSince: Date | null;
      isClaimed: boolean;
      waits: boolean;
      sentAt: Date | null;
      deliveredAt: Date | null;
      readAt: Date | null;
      laneId: number;
      triedLanes: number[];
      route: { from: number; to: number; why: string; code: string }[] | null;
    }>`select id, status, attempts, error_code as code, provider_message_id as "providerMessageId",
        unknown_since as "unknownSince", exists (select from claims where messages.id = any(ids)) as "isClaimed",
        exists (select from outbox_chunks where messages.id = any(ids)) as waits, sent_at as "sentAt",
        delivered_at as "deliveredAt", read_at as "readAt",
        lane_id as "laneId", tried_lanes as "triedLanes", route
      from messages where id = any(${ids}::uuid[]) order by created_at, id`.execute(room.db);
    return rows;
  };
  const countByStatus = async (ids: MessageId[]): Promise<Partial<Record<MessageStatus, number>>> =>
    Object.fromEntries(
      Object.entries(Object.groupBy(await read(ids), ({ status }) => status)).map(([status, rows]) => [
        status,
        rows.length,
      ]),
    );
  /** Waits until they all have this status. */
  const become = (ids: MessageId[], status: MessageStatus, timeout = 30_000): Promise<void> =>
    vi.waitFor(
      async () => {
        const counts = await countByStatus(ids);
        if (counts[status] !== ids.length) throw new Error(`they are ${JSON.stringify(counts)}`);
      },
      { timeout, interval: 20 },
    );

  /** Messages that wait must be in one chunk or in one claim, and no other may be in a chunk. */
  const misplaced = async (): Promise<
    { id: MessageId; status: string; chunks: number; claims: number }[]
  > => {
    const { rows } = await sql<{ id: MessageId; status: string; chunks: number; claims: number }>`
      select * from (
        select m.id, m.status, m.unknown_since is not null as unknown,
          (select count(*)::int from outbox_chunks where m.id = any(ids)) as chunks,
          (select count(*)::int from claims h cross join unnest(h.ids, h.attempts) as one (id, attempts)
            where one.id = m.id and one.attempts = m.attempts) as claims
        from messages m where m.type = 'outgoing'
      ) placed
      where case when status = 'PENDING' and not unknown then chunks + claims <> 1 else chunks > 0 end`.execute(
      room.db,
    );
    return rows;
  };

  const close = async (): Promise<void> => {
    await Promise.all([...running].map(({ stop }) => stop(500)));
    await room.close();
  };
  return {
    ...room,
    warnings,
    lanes,
    addLane,
    removeLanes,
    takeLane,
    dieOn,
    work,
    accept,
    read,
    countByStatus,
    become,
    misplaced,
    miscounted: () => findMiscounted(room.db),
    close,
  };
};
export type TestDelivery = Awaited<ReturnType<typeof openTestDelivery>>;
