import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { BatchId } from '../../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  refusal,
  scriptedCarrier,
  type TestDelivery,
} from '../../../../test/delivery.ts';
import { indexOnlyTransaction } from '../../../ground/postgres/index.ts';
import type { Lane, Receipt, SendOutcome } from '../../lanes/index.ts';
import { cancelBatch } from '../cancelling/cancel.ts';
import { noSubscribers } from '../fragment-store.ts';
import { publishNothing } from '../outbox-event.ts';
import { claimMessages } from '../waiting/claim-store.ts';
import { type Claimed, markUnknown } from '../waiting/claimed-store.ts';
import { putBack } from '../waiting/put-back.ts';
import { recoverClaims } from '../waiting/recover-claims.ts';
import { settleLate } from './late-results.ts';
import { reconcile } from './reconcile.ts';
import { recordResults, resultOf } from './record-results.ts';
import { type Fact, openRecorder, type Recorder } from './recorder.ts';

let room: TestDelivery;
let lanes: [Lane, Lane];
let accountId: AccountId;
const holder = randomUUID();
const errors: string[] = [];
const log = {
  info: () => {},
  warn: () => {},
  error: (facts: { err?: Error }) => void errors.push(String(facts.err?.message)),
};
beforeAll(async () => {
  room = await openTestDelivery();
  lanes = [
    await room.addLane(() => scriptedCarrier().carrier),
    await room.addLane(() => scriptedCarrier().carrier),
  ];
  accountId = await room.funded(100);
  for (const lane of lanes) await room.takeLane(lane.id, holder, 600_000);
  await sql`create table told (account_id uuid, id uuid, created_at timestamptz, kind text)`.execute(room.db);
});
beforeEach(() => sql`truncate told, early_receipts`.execute(room.db));
afterAll(async () => {
  expect(errors).toEqual([]);
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await room.close();
});

const take = async (lane: Lane, count: number, whose = accountId): Promise<Claimed[]> => {
  await room.accept({ accountId: whose, lane, count });
  const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: count });
  expect(claimed).toHaveLength(count);
  return claimed;
};
const open = (subscribers: AccountId[] = []): Recorder =>
  openRecorder({
    db: room.db,
    log,
    timing: { gatherMs: 5 },
    publisher: {
      publish: publishNothing,
      publishingRows: (
        rows,
      ) => sql`insert into told select account_id, id, created_at, kind from ${rows} given
      where account_id = any(${subscribers}::uuid[])`,
      hasSubscriber: (ids) => ids.some((id) => subscribers.includes(id)),
    },
  });
const idOf = ({ id }: Pick<Claimed, 'id'>): string => `p-${id}`;
const accepted = (message: Claimed): SendOutcome => ({
  outcome: 'accepted',
  providerMessageId: idOf(message),
});
const result = (message: Claimed, outcome = accepted(message)): Fact => ({
  kind: 'result',
  result: resultOf(message, outcome),
});
const receipt = (message: Pick<Claimed, 'id'>, state: Receipt['state'], at = new Date()): Fact => ({
  kind: 'receipt',
  receipt: { providerMessageId: idOf(message), state, at, code: state === 'failed' ? 'GONE' : '' },
});
/** All in one flush, if they are few. */
const record = async (recorder: Recorder, facts: [Lane, Fact][]): Promise<void> => {
  await Promise.all(facts.map(([lane, fact]) => recorder.of(lane).add(fact)));
};
const states = async (messages: Claimed[]) => {
  const rows = new Map((await room.read(messages.map(({ id }) => id))).map((row) => [row.id, row]));
  return messages.map(({ id }) => {
    const row = rows.get(id);
    const mark = row?.deliveredAt
      ? ' delivered'
      : row?.unknownSince
        ? ' unknown'
        : row?.waits
          ? ' waits'
          : '';
    return `${row?.status}${mark}${row?.readAt ? ' read' : ''}`;
  });
};
const told = async () => {
  const { rows } = await sql<{ id: string; kind: string; whole: boolean }>`
    select told.id, kind, m.id is not null as whole from told
    left join messages m on m.id = told.id and m.created_at = told.created_at and m.account_id = told.account_id`.execute(
    room.db,
  );
  expect(rows.every(({ whole }) => whole)).toBe(true);
  return rows.map(({ id, kind }) => `${id} ${kind}`).sort();
};

it('one flush writes results of every kind, receipts and lanes, and tells subscribers of each change', async () => {
  const here = await take(lanes[0], 6);
  const there = await take(lanes[1], 3);
  const [a, b, c, d, e, f] = here as [Claimed, Claimed, Claimed, Claimed, Claimed, Claimed];
  const [x, y, z] = there as [Claimed, Claimed, Claimed];
  const before = await room.balance(accountId);
  await record(open([accountId]), [
    [lanes[0], result(a)],
    [lanes[1], result(x)],
    [lanes[0], result(b, refusal(false))],
    [lanes[0], result(c, refusal(true))],
    [lanes[0], result(d, { outcome: 'unknown', reason: 'silent' })],
    [lanes[0], result(e)],
    [lanes[0], receipt(e, 'delivered')],
    [lanes[1], result(y)],
    [lanes[1], receipt(y, 'read')],
    [lanes[0], result(f)],
    [lanes[0], receipt(f, 'failed')],
  ]);
  expect(await states([...here, ...there])).toEqual([
    'SUCCESS',
    'FAILED',
    'PENDING waits',
    'PENDING unknown',
    'SUCCESS delivered',
    'FAILED',
    'SUCCESS',
    'SUCCESS delivered read',
    'PENDING',
  ]);
  expect((await room.balance(accountId)) - before).toBe(2n * PRICE_MICROS);
  expect(await told()).toEqual(
    [
      `${a.id} sent`,
      `${x.id} sent`,
      `${b.id} failed`,
      `${e.id} sent`,
      `${e.id} delivered`,
      `${y.id} sent`,
      `${y.id} delivered`,
      `${y.id} read`,
      `${f.id} sent`,
      `${f.id} failed`,
    ].sort(),
  );
  const [first] = await room.read([a.id]);
  expect(first).toMatchObject({ attempts: 1, providerMessageId: idOf(a), code: '', isClaimed: false });
  expect((await room.read([z.id]))[0]?.isClaimed).toBe(true);
  await record(open(), [[lanes[1], result(z)]]);
  expect((await room.read([z.id]))[0]?.isClaimed).toBe(false);
});

it('a repeat changes nothing and tells nobody', async () => {
  const messages = await take(lanes[0], 2);
  const facts = messages.flatMap((message): [Lane, Fact][] => [
    [lanes[0], result(message)],
    [lanes[0], receipt(message, 'delivered')],
  ]);
  await record(open(), facts);
  const rows = await room.read(messages.map(({ id }) => id));
  await record(open([accountId]), facts);
  await record(open([accountId]), [[lanes[0], receipt({ id: messages[0]?.id as Claimed['id'] }, 'failed')]]);
  expect(await room.read(messages.map(({ id }) => id))).toEqual(rows);
  expect(await told()).toEqual([]);
});

it('a receipt that comes before its result waits for it, whichever lanes have the same id', async () => {
  const [early] = (await take(lanes[0], 1)) as [Claimed];
  const [other] = (await take(lanes[1], 1)) as [Claimed];
  await record(open([accountId]), [[lanes[0], receipt(early, 'delivered')]]);
  await record(open([accountId]), [
    [lanes[1], result(other, { outcome: 'accepted', providerMessageId: idOf(early) })],
  ]);
  expect(await states([other])).toEqual(['SUCCESS']);
  await record(open([accountId]), [[lanes[0], result(early)]]);
  expect(await states([early])).toEqual(['SUCCESS delivered']);
  expect(await told()).toEqual([`${early.id} sent`, `${early.id} delivered`, `${other.id} sent`].sort());
  const { rows } = await sql`select from early_receipts`.execute(room.db);
  expect(rows).toEqual([]);
});

it('a receipt whose result another process stored is found by the reconcile task', async () => {
  const [message] = (await take(lanes[0], 1)) as [Claimed];
  await record(open(), [[lanes[0], receipt(message, 'delivered')]]);
  await indexOnlyTransaction(room.db, (trx) =>
    recordResults(trx, { results: [resultOf(message, accepted(message))] }),
  );
  expect(await states([message])).toEqual(['SUCCESS']);
  await reconcile(room.db);
  expect(await states([message])).toEqual(['SUCCESS delivered']);
});

it('messages of several months, and of one that has no table any more, are written together', async () => {
  const [gone, here] = (await take(lanes[0], 2)) as [Claimed, Claimed];
  await record(open(), [
    [lanes[0], result({ ...gone, month: '1999_12', createdAt: '1999-12-24 00:00:00+00' })],
    [lanes[0], result(here)],
  ]);
  expect(await states([gone, here])).toEqual(['PENDING', 'SUCCESS']);
  await indexOnlyTransaction(room.db, (trx) =>
    recordResults(trx, { results: [resultOf(gone, accepted(gone))] }),
  );
});

it('a receipt is not for a message that is older than any that is still reported on', async () => {
  const id = randomUUID() as Claimed['id'];
  await sql`select messages_make_partition((now() - interval '15 days')::date)`.execute(room.db);
  await sql`
    with old as (
      insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, message, segment,
        price_micros, provider_message_id, sent_at, created_at, updated_at)
      select ${id}::uuid, ${accountId}::uuid, ${lanes[0].id}, 'sms', 'outgoing', 'SUCCESS', '+85261111111',
        '+85261111111', 'hello', 1, 1, ${idOf({ id })}, now(), now() - interval '14 days 1 hour', now()
      returning lane_id, provider_message_id, created_at, id
    )
    insert into carrier_ids select * from old`.execute(room.db);
  await record(open(), [[lanes[0], receipt({ id }, 'delivered')]]);
  const { rows } = await sql`select delivered_at from messages where id = ${id}`.execute(room.db);
  expect(rows).toEqual([{ delivered_at: null }]);
});

it('a lane is done when its own facts are stored, however many other lanes have', async () => {
  const [message] = (await take(lanes[0], 1)) as [Claimed];
  const recorder = open();
  const [one, other] = [recorder.of(lanes[0]), recorder.of(lanes[1])];
  let over = false;
  const keepBusy = (): void => {
    if (!over) other.put(receipt({ id: randomUUID() as Claimed['id'] }, 'enroute'), keepBusy);
  };
  keepBusy();
  one.put(result(message));
  await one.drain();
  expect(await states([message])).toEqual(['SUCCESS']);
  over = true;
  await other.drain();
});

it('a month has every trigger for updates that all messages have', async () => {
  const { rows } = await sql<{ table: string; names: string[] }>`
    select tgrelid::regclass::text as table, array_agg(tgname::text order by tgname) as names from pg_trigger
    where (tgrelid = 'messages'::regclass or tgrelid in (
      select inhrelid from pg_inherits where inhparent = 'messages'::regclass))
      and not tgisinternal and tgtype & 16 > 0 group by 1`.execute(room.db);
  expect(rows.length).toBeGreaterThan(1);
  for (const { names } of rows) expect(names).toEqual(['delivery_counts_update', 'message_counts_update']);
});

it('a late word counts for the attempt that is in doubt, not for one that was deferred before it', async () => {
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  await room.takeLane(lane.id, holder, 600_000);
  const HOUR_AGO = Date.now() - 3_600_000;
  const again = async (): Promise<Claimed> => {
    const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: 1 });
    return claimed[0] as Claimed;
  };
  const [first] = (await take(lane, 1)) as [Claimed];
  const settle = async (attempt: number, outcome: SendOutcome) => {
    const results = [{ id: first.id, attempt, outcome, at: HOUR_AGO }];
    return (await settleLate(room.db, { results, publisher: noSubscribers })).settled;
  };
  await record(open(), [[lane, result(first, { outcome: 'unknown', reason: 'silent' })]]);
  expect(await settle(2, refusal(true))).toBe(0);
  expect(await settle(1, refusal(true))).toBe(1);
  expect(await settle(1, refusal(true))).toBe(0);
  const second = await again();
  await indexOnlyTransaction(room.db, (trx) =>
    recordResults(trx, { results: [resultOf(second, refusal(true), HOUR_AGO)] }),
  );
  const third = await again();
  await markUnknown(room.db, [{ laneId: lane.id, holder: randomUUID() }]);
  expect(await settle(second.attempts, refusal(true))).toBe(0);
  expect(await states([first])).toEqual(['PENDING unknown']);
  expect(await settle(third.attempts, accepted(first))).toBe(1);
  expect(await states([first])).toEqual(['SUCCESS']);
});

it('what is put off through no fault of the lane or the message uses up none of its attempts', async () => {
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  await room.takeLane(lane.id, holder, 600_000);
  const at = Date.now() - 3_600_000;
  let [message] = (await take(lane, 1)) as [Claimed];
  const defer = async (outcome: SendOutcome): Promise<void> => {
    await indexOnlyTransaction(room.db, (trx) =>
      recordResults(trx, { results: [resultOf(message, outcome, at)] }),
    );
  };
  const again = async (): Promise<void> => {
    const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: 1 });
    expect(claimed).toHaveLength(1);
    [message] = claimed as [Claimed];
  };
  for (let times = 0; times < 12; times += 1) {
    await defer({ outcome: 'refused', code: 'LATER', reason: '', retryable: true, notBefore: new Date(at) });
    await again();
  }
  expect(resultOf(message, refusal(true), at).notBefore).toEqual(new Date(at + 1_000));
  // However the carrier's answer reaches us.
  const fate = { outcome: refusal(true), at };
  await recoverClaims(room.db, {
    leases: [{ laneId: lane.id, holder }],
    fateOf: () => fate,
    publisher: noSubscribers,
  });
  await again();
  await defer({ outcome: 'unknown', reason: 'silent' });
  const late = { id: message.id, attempt: message.attempts, ...fate };
  await settleLate(room.db, { results: [late], publisher: noSubscribers });
  await again();
  expect(message).toMatchObject({ attempts: 16, uncounted: 12 });
  for (let counted = 4; counted < 10; counted += 1) {
    await defer(refusal(true));
    await again();
  }
  await defer(refusal(true));
  expect(await states([message])).toEqual(['FAILED']);
});

interface Returning {
  lane: Lane;
  claimed: Claimed[];
  /** What happens before they come back. */
  meanwhile: () => Promise<unknown>;
}
const returns: [how: string, comeBack: (returning: Returning) => Promise<unknown>][] = [
  [
    'was in doubt until the carrier said so',
    async ({ lane, claimed, meanwhile }) => {
      const inDoubt = { outcome: 'unknown', reason: 'silent' } as const;
      await record(
        open(),
        claimed.map((message) => [lane, result(message, inDoubt)]),
      );
      await meanwhile();
      const results = claimed.map(({ id, attempts }) => ({
        id,
        attempt: attempts,
        outcome: refusal(true),
        at: Date.now(),
      }));
      await settleLate(room.db, { results, publisher: noSubscribers });
    },
  ],
  [
    'was deferred by the carrier',
    async ({ lane, claimed, meanwhile }) => {
      await meanwhile();
      await record(
        open(),
        claimed.map((message) => [lane, result(message, refusal(true))]),
      );
    },
  ],
  [
    'was put back by its worker',
    async ({ claimed, meanwhile }) => {
      await meanwhile();
      await putBack(room.db, holder, claimed);
    },
  ],
  [
    'was never handed over by a worker that died',
    async ({ lane, meanwhile }) => {
      await meanwhile();
      const leases = [{ laneId: lane.id, holder }];
      await recoverClaims(room.db, { leases, fateOf: () => 'never handed over', publisher: noSubscribers });
    },
  ],
];
it.each(returns)(
  'what was not sent and %s waits again, unless its recipient has opted out',
  async (_, comeBack) => {
    const lane = await room.addLane(() => scriptedCarrier().carrier);
    await room.takeLane(lane.id, holder, 600_000);
    const whose = await room.funded(1);
    const claimed = (await take(lane, 2, whose)) as [Claimed, Claimed];
    const optOut = () =>
      sql`insert into opt_outs (account_id, channel, recipient, source)
      values (${whose}, 'sms', ${claimed[0].recipient}, 'REPLY')`.execute(room.db);
    await comeBack({ lane, claimed, meanwhile: optOut });
    expect(await states(claimed)).toEqual(['CANCELLED', 'PENDING waits']);
    expect((await room.read([claimed[0].id]))[0]?.code).toBe('E_OPTED_OUT');
    expect(await room.balance(whose)).toBe(1_000_000n - PRICE_MICROS);
  },
);

it.each(returns)(
  'what was not sent and %s does not wait again if its batch was cancelled',
  async (_, comeBack) => {
    const lane = await room.addLane(() => scriptedCarrier().carrier);
    await room.takeLane(lane.id, holder, 600_000);
    const whose = await room.funded(1);
    const [first, second] = (await take(lane, 2, whose)) as [Claimed, Claimed];
    const [other] = (await take(lane, 1, whose)) as [Claimed];
    const cancel = async () => {
      const { rows } = await sql<{ id: BatchId }>`
      select batch_id as id from messages where id = ${first.id}`.execute(room.db);
      const asked = { sender: { accountId: whose, test: false }, batchId: rows[0]?.id as BatchId };
      const told = await cancelBatch({ db: room.db, queue: { send: async () => {} } }, asked);
      expect(told).toMatchObject({ refundedMicros: 0n, cancelled: 0, waiting: 2 });
    };
    await comeBack({ lane, claimed: [first, second, other], meanwhile: cancel });
    expect(await states([first, second, other])).toEqual(['CANCELLED', 'CANCELLED', 'PENDING waits']);
    expect((await room.read([first.id]))[0]?.code).toBe('E_CANCELLED');
    expect(await room.balance(whose)).toBe(1_000_000n - PRICE_MICROS);
    expect(await room.differing()).toEqual([]);
  },
);
