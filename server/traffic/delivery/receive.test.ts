import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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
import type { Inbound, Lane, Receipt } from '../lanes/index.ts';
import { noSubscribers, type OutboxEvent, type PublishEvents } from '../outbox/index.ts';
import { openReceiver } from './receive.ts';
import type { Delivery } from './run-delivery.ts';

let room: TestDelivery;
let lane: Lane;
let delivery: Delivery;
let accountId: AccountId;
let scripted: ScriptedCarrier;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const openOne = (rest: object = {}) =>
  openReceiver({
    db: room.db,
    log: quiet,
    publisher: { ...noSubscribers, publish },
    timing: { gatherMs: 5 },
    ...rest,
  });
const told: OutboxEvent[] = [];
const publish: PublishEvents = async (_, events) => void told.push(...events);

beforeAll(async () => {
  room = await openTestDelivery();
  scripted = scriptedCarrier();
  lane = await room.addLane(() => scripted.carrier);
  // One test keeps an answer back while receipts are stored.
  delivery = room.work([lane], { answerMs: 60_000 });
  accountId = await room.funded(100);
});
afterAll(async () => {
  await delivery.stop(500);
  await room.close();
});

const T = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const receipt = (providerMessageId: string, state: Receipt['state'], at = T(0)): Receipt => ({
  providerMessageId,
  state,
  at,
  code: state === 'failed' ? 'E_RECIPIENT' : '',
});
const sendOne = async (to?: string): Promise<MessageId> => {
  const [id] = (await room.accept({ accountId, lane, ...(to && { recipient: () => to }) })) as [MessageId];
  await room.become([id], 'SUCCESS');
  return id;
};
const only = async (id: MessageId) => (await room.read([id]))[0];

it('receipts reach their message from any process, in any order, as often as they come', async () => {
  const [web, other] = [openOne(), openOne()];
  const id = await sendOne();
  const all = [
    receipt(`c-${id}`, 'read', T(3)),
    receipt(`c-${id}`, 'delivered', T(2)),
    receipt(`c-${id}`, 'enroute', T(1)),
  ];
  for (const one of all) await web.receipts(lane.name, [one]);
  await Promise.all([web.receipts(lane.name, all), other.receipts(lane.name, all)]);
  expect(await only(id)).toMatchObject({ status: 'SUCCESS', readAt: T(3), deliveredAt: T(3) });
});

it('a failure is refunded once, however often it is reported', async () => {
  const [web, other] = [openOne(), openOne()];
  const id = await sendOne();
  const before = await room.balance(accountId);
  const failed = [receipt(`c-${id}`, 'failed')];
  await Promise.all([
    web.receipts(lane.name, failed),
    other.receipts(lane.name, failed),
    web.receipts(lane.name, failed),
  ]);
  await other.receipts(lane.name, failed);
  expect(await only(id)).toMatchObject({ status: 'FAILED', code: 'E_RECIPIENT' });
  expect(await room.balance(accountId)).toBe(before + PRICE_MICROS);
  expect(await room.differing()).toEqual([]);
});

it("a receipt that is quicker than the carrier's answer is not lost", async () => {
  const web = openOne();
  let answer = () => {};
  scripted.script.answer = async ({ id }) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return { outcome: 'accepted', providerMessageId: `c-${id}` };
  };
  const [id] = (await room.accept({ accountId, lane })) as [MessageId];
  await vi.waitFor(() => expect(scripted.sent.at(-1)?.id).toBe(id));
  await web.receipts(lane.name, [receipt(`c-${id}`, 'read', T(5)), receipt(`c-${id}`, 'delivered', T(4))]);
  answer();
  await room.become([id], 'SUCCESS');
  await vi.waitFor(async () => expect(await only(id)).toMatchObject({ readAt: T(5), deliveredAt: T(4) }));
  scripted.script.answer = ({ id: given }) => ({ outcome: 'accepted', providerMessageId: `c-${given}` });
});

const countInbound = async (from: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages where type = 'incoming' and sender = ${from}`.execute(
    room.db,
  );
  return rows[0]?.count ?? -1;
};
const inbound = (from: string, rest: Partial<Inbound> = {}): Inbound => ({
  providerMessageId: randomUUID(),
  from,
  to: '+15550783881',
  text: 'hello',
  at: new Date(),
  ...rest,
});

it('an incoming message that is told again, even at the same moment by others, is kept once', async () => {
  const receivers = [openOne(), openOne(), openOne()];
  const from = '+85263330001';
  await sendOne(from);
  const one = inbound(from);
  await Promise.all(
    receivers.flatMap(({ inbound: tell }) => [tell(lane.name, [one, one]), tell(lane.name, [one])]),
  );
  await receivers[0]?.inbound(lane.name, [one]);
  expect(await countInbound(from)).toBe(1);
  expect(told.filter(({ event }) => event === 'inbound')).toHaveLength(1);
  await receivers[1]?.inbound(lane.name, [inbound(from), inbound(from)]);
  expect(await countInbound(from)).toBe(3);
});

it('what belongs to nobody is kept once, and does not become a message later', async () => {
  const web = openOne();
  const from = '+85263330002';
  const one = inbound(from);
  await web.inbound(lane.name, [one]);
  await web.inbound(lane.name, [one]);
  await sendOne(from);
  await web.inbound(lane.name, [one]);
  const { rows } = await sql`select sender, recipient, message from unassigned_inbound`.execute(room.db);
  expect(rows).toEqual([{ sender: from, recipient: one.to, message: 'hello' }]);
  expect(await countInbound(from)).toBe(0);
});

it('texts that PostgreSQL can not keep are kept as far as they can be', async () => {
  const web = openOne();
  const from = '+85263330003';
  await sendOne(from);
  const odd = 'a\0b\ud800c';
  await web.inbound(lane.name, [
    inbound(from, {
      text: odd,
      providerMessageId: `odd\0${randomUUID()}`,
      content: { kind: 'button', payload: odd },
    }),
  ]);
  const { rows } = await sql`
    select message, content from messages where type = 'incoming' and sender = ${from}`.execute(room.db);
  expect(rows).toEqual([{ message: 'ab�c', content: { kind: 'button', payload: 'ab�c' } }]);
});

it('a name that has passed to another lane leads there, and a lane that was read is the one that it was', async () => {
  const web = openOne();
  const [one, other] = [
    await room.addLane(() => scriptedCarrier().carrier),
    await room.addLane(() => scriptedCarrier().carrier),
  ];
  const from = '+85263330005';
  await web.inbound(one.name, [inbound(from, { text: 'before' })]);
  const rename = (lane: Lane, name: string) =>
    sql`update lanes set name = ${name} where id = ${lane.id}`.execute(room.db);
  await rename(one, `${one.name}-renamed`);
  await rename(other, one.name);
  await web.inbound(one, [inbound(from, { text: 'by the lane' })]);
  await sleep(600);
  await web.inbound(one.name, [inbound(from, { text: 'by the name' })]);
  const { rows } = await sql`
    select lane_id as "laneId", message from unassigned_inbound where sender = ${from} order by id`.execute(
    room.db,
  );
  expect(rows).toEqual([
    { laneId: one.id, message: 'before' },
    { laneId: one.id, message: 'by the lane' },
    { laneId: other.id, message: 'by the name' },
  ]);
});

it('a lane that nobody knows is an error, so that the provider comes again; once it is known it is found', async () => {
  const web = openOne();
  await expect(web.receipts('nobody', [receipt('x', 'read')])).rejects.toThrow('no lane nobody');
  await expect(web.receipts('nobody', [])).resolves.toBeUndefined();
});

it('while the database does not answer callers are sent away in time, and nothing is lost or doubled', async () => {
  const web = openOne({ timeoutMs: 100, mostWaiting: 3 });
  const from = '+85263330004';
  await sendOne(from);
  const one = inbound(from);
  await room.db.transaction().execute(async (trx) => {
    await sql`lock table inbound_ids in exclusive mode`.execute(trx);
    await expect(web.inbound(lane.name, [one])).rejects.toMatchObject({ code: 'E_UNAVAILABLE' });
    await expect(web.inbound(lane.name, [one, inbound(from), inbound(from)])).rejects.toMatchObject({
      code: 'E_UNAVAILABLE',
    });
    expect(await countInbound(from)).toBe(0);
  });
  await vi.waitFor(() => web.inbound(lane.name, [one]));
  expect(await countInbound(from)).toBe(1);
});
