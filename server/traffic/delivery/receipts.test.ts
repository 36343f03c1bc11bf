import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  type ScriptedCarrier,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import type { Lane, Receipt } from '../lanes/index.ts';
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
  // One test keeps an answer back while its receipt is stored.
  delivery = room.work([lane], { answerMs: 60_000 });
  accountId = await room.funded(100);
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await delivery.stop(500);
  await room.close();
});

const T = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const tell = async (
  providerMessageId: string,
  state: Receipt['state'],
  at = T(0),
  rest: Partial<Receipt> = {},
) =>
  scripted.script.events?.receipt({
    providerMessageId,
    state,
    at,
    code: state === 'failed' ? 'UNDELIV' : '',
    ...rest,
  });
const sendOne = async (): Promise<{ id: MessageId; pid: string }> => {
  const [id] = (await room.accept({ accountId, lane })) as [MessageId];
  await room.become([id], 'SUCCESS');
  return { id, pid: `c-${id}` };
};
const only = async (id: MessageId) => (await room.read([id]))[0];
const countEarly = async (): Promise<number> =>
  (await sql`select from early_receipts where lane_id = ${lane.id}`.execute(room.db)).rows.length;

it('delivered and read are kept at their first time, told twice or out of order', async () => {
  const { id, pid } = await sendOne();
  await tell(pid, 'read', T(2));
  await tell(pid, 'delivered', T(1));
  await tell(pid, 'delivered', T(9));
  await tell(pid, 'read', T(9));
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: T(2), readAt: T(2) });
});

it('all in one flush come to the same as one by one', async () => {
  const { id, pid } = await sendOne();
  await Promise.all([
    tell(pid, 'enroute'),
    tell(pid, 'delivered', T(1)),
    tell(pid, 'failed'),
    tell(pid, 'read', T(3)),
  ]);
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: T(1), readAt: T(3) });
});

it('a failure receipt fails the message and refunds it once, however often it comes', async () => {
  const { id, pid } = await sendOne();
  const before = await room.balance(accountId);
  await Promise.all([tell(pid, 'failed'), tell(pid, 'failed')]);
  await tell(pid, 'failed');
  await tell(pid, 'delivered', T(5));
  expect(await only(id)).toMatchObject({ status: 'FAILED', code: 'UNDELIV', deliveredAt: null });
  expect(await room.balance(accountId)).toBe(before + PRICE_MICROS);
  expect(await room.differing()).toEqual([]);
});

it('a failure after the delivery is ignored', async () => {
  const { id, pid } = await sendOne();
  const before = await room.balance(accountId);
  await tell(pid, 'delivered', T(1));
  await tell(pid, 'failed', T(2));
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', deliveredAt: T(1) });
  expect(await room.balance(accountId)).toBe(before);
});

it.each(['delivered', 'failed'] as const)('a receipt of %s may come before the answer', async (state) => {
  let answer = () => {};
  scripted.script.answer = async ({ id }) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const before = await room.balance(accountId);
  const [id] = (await room.accept({ accountId, lane })) as [MessageId];
  await vi.waitFor(() => expect(scripted.sent.at(-1)?.id).toBe(id));
  await tell(`c-${id}`, state, T(4));
  expect(await countEarly()).toBe(1);
  answer();
  await room.become([id], state === 'failed' ? 'FAILED' : 'SUCCESS');
  await vi.waitFor(async () => expect(await countEarly()).toBe(0));
  expect(await only(id)).toMatchObject({ deliveredAt: state === 'failed' ? null : T(4) });
  expect(await room.balance(accountId)).toBe(state === 'failed' ? before : before - PRICE_MICROS);
  scripted.script.answer = ({ id: given }) => ({ outcome: 'accepted', providerMessageId: `c-${given}` });
});

it('a receipt reconciles a message whose answer was lost: by our id, or by its only recipient', async () => {
  scripted.script.answer = () => ({ outcome: 'unknown', reason: 'cut' });
  const [byId] = (await room.accept({ accountId, lane, recipient: () => '+85291110001' })) as [MessageId];
  const [byNumber] = (await room.accept({ accountId, lane, recipient: () => '+85291110002' })) as [MessageId];
  const twins = await room.accept({ accountId, lane, count: 2, recipient: () => '+85291110003' });
  const all = [byId, byNumber, ...twins];
  await vi.waitFor(async () =>
    expect((await room.read(all)).every(({ unknownSince }) => unknownSince !== null)).toBe(true),
  );
  await tell('lost-1', 'delivered', T(1), { messageId: byId });
  await tell('lost-2', 'delivered', T(2), { recipient: '85291110002' });
  await tell('lost-3', 'delivered', T(3), { recipient: '85291110003' });
  await reconcile(room.db, { unknownMs: 0, settledMs: 0 });
  expect(await only(byId)).toMatchObject({
    status: 'SUCCESS',
    providerMessageId: 'lost-1',
    deliveredAt: T(1),
  });
  expect(await only(byNumber)).toMatchObject({
    status: 'SUCCESS',
    providerMessageId: 'lost-2',
    deliveredAt: T(2),
  });
  expect(await room.countByStatus(twins)).toEqual({ FAILED_WITH_EXCEPTION: 2 });
  scripted.script.answer = ({ id }) => ({ outcome: 'accepted', providerMessageId: `c-${id}` });
});

it('the receipt of a part of a long message to the same number decides no other message', async () => {
  const recipient = () => '+85291110004';
  const [long] = (await room.accept({ accountId, lane, recipient, segments: 2 })) as [MessageId];
  await room.become([long], 'SUCCESS');
  scripted.script.answer = () => ({ outcome: 'unknown', reason: 'cut' });
  const [lost] = (await room.accept({ accountId, lane, recipient })) as [MessageId];
  await vi.waitFor(async () => expect((await only(lost))?.unknownSince).not.toBeNull());
  await tell(`c-${long}-2`, 'failed', T(1), { recipient: '85291110004' });
  await reconcile(room.db, { unknownMs: 60_000, settledMs: 0 });
  expect(await only(lost)).toMatchObject({ status: 'PENDING', unknownSince: expect.any(Date) });
  await reconcile(room.db, { unknownMs: 0, settledMs: 0 });
  expect(await only(lost)).toMatchObject({ status: 'FAILED_WITH_EXCEPTION' });
  scripted.script.answer = ({ id }) => ({ outcome: 'accepted', providerMessageId: `c-${id}` });
});

const hear = async (from: string, text: string, providerMessageId: string = randomUUID()) =>
  scripted.script.events?.inbound({ providerMessageId, from, to: '+85230001111', text, at: T(0) });
const inbox = async (text: string) => {
  const { rows } = await sql<{ account_id: AccountId; sender: string; recipient: string }>`
    select account_id, sender, recipient from messages
    where type = 'incoming' and message = ${text} and status = 'SUCCESS'`.execute(room.db);
  return rows;
};

it('an answer from outside belongs to the account that wrote to that number last, and is stored once', async () => {
  const other = await room.funded(10);
  const recipient = () => '+85296660001';
  await room.become(await room.accept({ accountId, lane, recipient }), 'SUCCESS');
  await room.become(await room.accept({ accountId: other, lane, recipient }), 'SUCCESS');
  const text = `hello\0 ${randomUUID()}`;
  await hear('+85296660001', text, 'mo-1');
  await hear('+85296660001', text, 'mo-1');
  expect(await inbox(text.replace('\0', ''))).toEqual([
    { account_id: other, sender: '+85296660001', recipient: '+85230001111' },
  ]);
});

it('an answer from a number that nobody wrote to belongs to nobody, and is kept', async () => {
  const text = randomUUID();
  await hear('+85200000000', text);
  expect(await inbox(text)).toEqual([]);
  const { rows } = await sql`select message from unassigned_inbound where lane_id = ${lane.id}`.execute(
    room.db,
  );
  expect(rows).toEqual([{ message: text }]);
});
