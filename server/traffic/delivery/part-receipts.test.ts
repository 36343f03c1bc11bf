import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  type ScriptedCarrier,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import type { Lane, Receipt, SentPart } from '../lanes/index.ts';
import { reconcile } from '../outbox/testing/index.ts';
import type { Delivery } from './run-delivery.ts';

let room: TestDelivery;
let lane: Lane;
let delivery: Delivery;
let accountId: AccountId;
let scripted: ScriptedCarrier;
beforeAll(async () => {
  room = await openTestDelivery();
  scripted = scriptedCarrier();
  lane = await room.addLane(() => scripted.carrier);
  delivery = room.work([lane]);
  accountId = await room.funded(100);
});
afterEach(() => sql`truncate early_receipts`.execute(room.db));
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await delivery.stop(500);
  await room.close();
});

/** Nothing that is in memory is left: another worker takes the lane. */
const restart = async (): Promise<void> => {
  await delivery.stop(500);
  delivery = room.work([lane]);
};
const T = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
let last = 0;
const newNumber = (): string => `+8529333${String(++last).padStart(4, '0')}`;
const tell = async (
  providerMessageId: string,
  state: Receipt['state'],
  at = T(0),
  recipient = '+85290000000',
): Promise<void> => {
  const code = state === 'failed' ? 'UNDELIV' : '';
  for (const end = Date.now() + 10_000; !scripted.script.events && Date.now() < end; ) await sleep(10);
  await scripted.script.events?.receipt({ providerMessageId, state, at, code, recipient, ofPart: true });
};
const taken = (id: string): SentPart => ({ state: 'taken', id });
const REFUSED: SentPart = { state: 'refused', code: 'ESME_RTHROTTLED', reason: 'Not just now.' };
const SILENT: SentPart = { state: 'unknown', reason: 'No answer.' };

/** Sends a long message of which the carrier says this. */
const send = async (parts: SentPart[], to = newNumber()): Promise<MessageId> => {
  const refused = parts.find(({ state }) => state === 'refused');
  const unknown = parts.some(({ state }) => state === 'unknown');
  scripted.script.answer = () => {
    if (refused) return { outcome: 'refused', code: '', reason: '', retryable: false, parts };
    if (unknown) return { outcome: 'unknown', reason: '', parts };
    return { outcome: 'accepted', providerMessageId: 'first', parts };
  };
  const [id] = (await room.accept({ accountId, lane, segments: parts.length, recipient: () => to })) as [
    MessageId,
  ];
  for (const end = Date.now() + 10_000; Date.now() < end; await sleep(10)) {
    const row = await only(id);
    if (row?.status !== 'PENDING' || row.unknownSince) break;
  }
  return id;
};
const only = async (id: MessageId) => (await room.read([id]))[0];
const partsOf = async (id: MessageId): Promise<string[]> => {
  const { rows } = await sql<{ parts: SentPart[] }>`select parts from messages where id = ${id}`.execute(
    room.db,
  );
  return rows[0]?.parts.map(({ state }) => state) ?? [];
};

it('the failure of its second part fails and refunds a long message, also after a restart', async () => {
  const before = await room.balance(accountId);
  const id = await send([taken('a1'), taken('a2')]);
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', providerMessageId: 'a1' });
  await restart();
  await tell('a1', 'delivered', T(1));
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: null });
  await tell('a2', 'failed');
  await tell('a2', 'failed');
  expect(await only(id)).toMatchObject({ status: 'FAILED', code: 'UNDELIV', deliveredAt: null });
  expect(await room.balance(accountId)).toBe(before);
});

it('a message in one piece stores nothing of parts, and one id', async () => {
  scripted.script.answer = () => ({ outcome: 'accepted', providerMessageId: 'single' });
  const [id] = (await room.accept({ accountId, lane })) as [MessageId];
  await room.become([id], 'SUCCESS');
  await scripted.script.events?.receipt({
    providerMessageId: 'single',
    state: 'delivered',
    at: T(1),
    code: '',
    recipient: '+85290000000',
  });
  const { rows } = await sql`select m.parts, c.provider_message_id as "carrierId", c.of_part as "ofPart"
    from messages m join carrier_ids c on c.message_id = m.id where m.id = ${id}`.execute(room.db);
  expect(rows).toEqual([{ parts: null, carrierId: 'single', ofPart: null }]);
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: T(1) });
});

it('a long message is delivered when the last of its parts is, also after a restart', async () => {
  const id = await send([taken('b1'), taken('b2'), taken('b3')]);
  await tell('b3', 'delivered', T(3));
  await restart();
  await Promise.all([tell('b1', 'delivered', T(1)), tell('b1', 'failed', T(9))]);
  expect(await only(id)).toMatchObject({ deliveredAt: null });
  await tell('b2', 'delivered', T(2));
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: T(3) });
  await tell('b2', 'failed', T(9));
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: T(3) });
});

it('receipts of parts that come before the answers count', async () => {
  await tell('c2', 'delivered', T(2));
  await tell('c1', 'delivered', T(1));
  const id = await send([taken('c1'), taken('c2')]);
  await expect.poll(async () => (await only(id))?.deliveredAt).toEqual(T(2));
  await tell('d2', 'failed');
  const failing = await send([taken('d1'), taken('d2')]);
  await room.become([failing], 'FAILED');
});

it('without one of its parts a message has failed and is refunded, and what became of the others is kept', async () => {
  const before = await room.balance(accountId);
  const id = await send([taken('e1'), REFUSED]);
  expect(await only(id)).toMatchObject({ status: 'FAILED', code: 'ESME_RTHROTTLED' });
  expect(await room.balance(accountId)).toBe(before);
  await tell('e1', 'delivered', T(1));
  expect(await partsOf(id)).toEqual(['delivered', 'refused']);
  expect(await only(id)).toMatchObject({ status: 'FAILED', code: 'ESME_RTHROTTLED' });
  expect(await room.balance(accountId)).toBe(before);
});

it('a part of which nobody knows is settled by its receipt, and the message by all', async () => {
  const to = newNumber();
  const id = await send([taken('f1'), SILENT], to);
  expect(await only(id)).toMatchObject({ status: 'PENDING', unknownSince: expect.any(Date) });
  await tell('f1', 'delivered', T(1), to);
  await restart();
  await tell('f2', 'delivered', T(2), to);
  await reconcile(room.db, { settledMs: 0, unknownMs: 600_000 });
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: T(2) });
});

it('a message whose parts are all unknown waits for the receipt of each', async () => {
  const to = newNumber();
  const before = await room.balance(accountId);
  const id = await send([SILENT, SILENT], to);
  await tell('g1', 'delivered', T(1), to);
  await reconcile(room.db, { settledMs: 0, unknownMs: 600_000 });
  expect(await only(id)).toMatchObject({ status: 'PENDING', providerMessageId: 'g1' });
  expect(await partsOf(id)).toEqual(['delivered', 'unknown']);
  await tell('g2', 'failed', T(2), to);
  await reconcile(room.db, { settledMs: 0, unknownMs: 600_000 });
  expect(await only(id)).toMatchObject({ status: 'FAILED', code: 'UNDELIV' });
  expect(await room.balance(accountId)).toBe(before);
});

it('a message of which not even the parts are known is settled by receipts of as many parts as it has', async () => {
  const to = newNumber();
  scripted.script.answer = () => ({ outcome: 'unknown', reason: 'cut' });
  const [id] = (await room.accept({ accountId, lane, segments: 2, recipient: () => to })) as [MessageId];
  await expect.poll(async () => (await only(id))?.unknownSince).not.toBeNull();
  await tell('h1', 'delivered', T(1), to);
  await reconcile(room.db, { settledMs: 0, unknownMs: 600_000 });
  expect(await only(id)).toMatchObject({ status: 'PENDING' });
  await tell('h2', 'delivered', T(2), to);
  await reconcile(room.db, { settledMs: 0, unknownMs: 600_000 });
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: T(2) });
});

it('receipts that may be of another message to the same number decide none', async () => {
  const to = newNumber();
  const one = await send([taken('i1'), SILENT], to);
  const other = await send([REFUSED, SILENT], to);
  await tell('i2', 'failed', T(1), to);
  await reconcile(room.db, { settledMs: 0, unknownMs: 600_000 });
  expect(await only(one)).toMatchObject({ status: 'PENDING' });
  expect(await only(other)).toMatchObject({ status: 'FAILED', code: 'ESME_RTHROTTLED' });
  const third = newNumber();
  const few = await send([taken('j1'), SILENT], third);
  await tell('j2', 'delivered', T(1), third);
  await tell('j3', 'delivered', T(1), third);
  await reconcile(room.db, { settledMs: 0, unknownMs: 600_000 });
  expect(await only(few)).toMatchObject({ status: 'PENDING' });
});

it('the decision of an admin is not undone by the delivery of another part', async () => {
  const id = await send([taken('k1'), REFUSED]);
  await sql`update messages set status = 'SUCCESS', error_code = '', reason = '' where id = ${id}`.execute(
    room.db,
  );
  const before = await room.balance(accountId);
  await tell('k1', 'delivered', T(1));
  expect(await only(id)).toMatchObject({ status: 'SUCCESS' });
  expect(await room.balance(accountId)).toBe(before);
});
