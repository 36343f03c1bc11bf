import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../../contract/calls.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../../../test/delivery.ts';
import { readNames } from '../../../customer/contacts/index.ts';
import { claimMessages } from './claim-store.ts';
import { adminQueueRoutes } from './queue-routes.ts';

let room: TestDelivery;
beforeAll(async () => {
  room = await openTestDelivery();
});
afterAll(() => room.close());

const queueOf = (jobId: MessageId): Promise<Reply<'GET /job/:jobId/queue'>> =>
  (
    adminQueueRoutes({ db: room.db, readNames })['GET /job/:jobId/queue'] as (input: object) => Promise<never>
  )({
    params: { jobId },
  });

it('a message is shown at its place in its lane, with those before and after it', async () => {
  const accountId = await room.funded(100);
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const file = await room.accept({ accountId, lane, count: 250, priority: 1 });
  const [single] = (await room.accept({ accountId, lane })) as [MessageId];
  const inOrder = file.toSorted();
  const asked = inOrder[130] as MessageId;
  const { state, place, lane: shown, messages } = await queueOf(asked);
  // The single goes first.
  expect({ state, place }).toEqual({ state: 'WAITING', place: 131 });
  expect(shown).toMatchObject({ name: lane.name, mode: 'on', waiting: 251, claimed: 0 });
  expect(messages.map(({ _id }) => _id)).toEqual(inOrder.slice(110, 151));
  expect(messages.map((one) => one.place)).toEqual(Array.from({ length: 41 }, (_, at) => at + 111));
  expect(await queueOf(single)).toMatchObject({ state: 'WAITING', place: 0 });
});

it('a neighbour has the name that its own account gave its recipient', async () => {
  const [accountId, other] = [await room.funded(10), await room.funded(10)];
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const [named] = (await room.accept({ accountId, lane })) as [MessageId];
  const [unnamed] = (await room.accept({ accountId: other, lane })) as [MessageId];
  await sql`insert into contacts (account_id, recipient, name)
    select account_id, recipient, 'Kwan' from messages where id = ${named}`.execute(room.db);
  await sql`update messages m set recipient = n.recipient from messages n
    where m.id = ${unnamed} and n.id = ${named}`.execute(room.db);
  const { messages } = await queueOf(named);
  expect(new Map(messages.map(({ _id, contactName }) => [_id, contactName]))).toEqual(
    new Map([
      [named, 'Kwan'],
      [unnamed, ''],
    ]),
  );
});

it('what does not wait says where it is', async () => {
  const accountId = await room.funded(10);
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const [later, claimed] = (await room.accept({ accountId, lane, count: 2, priority: 1 })).toSorted() as [
    MessageId,
    MessageId,
  ];
  await sql`update outbox_chunks set ids = array[${claimed}::uuid] where ${later} = any(ids)`.execute(
    room.db,
  );
  await sql`update messages set status = 'SUCCESS' where id = ${later}`.execute(room.db);
  const holder = randomUUID();
  await room.takeLane(lane.id, holder);
  await claimMessages(room.db, { laneId: lane.id, holder, limit: 5 });
  expect(await queueOf(claimed)).toMatchObject({
    state: 'CLAIMED',
    place: null,
    lane: { claimed: 1 },
    messages: [],
  });
  expect(await queueOf(later)).toMatchObject({ state: 'ENDED', place: null });
  await sql`update messages set unknown_since = now() where id = ${claimed}`.execute(room.db);
  expect(await queueOf(claimed)).toMatchObject({ state: 'UNKNOWN' });
  await expect(queueOf(randomUUID() as MessageId)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
});

it("what is held because its account is suspended waits without a place, and is nobody else's neighbour", async () => {
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const suspended = await room.funded(10);
  const [held] = (await room.accept({ accountId: suspended, lane })) as [MessageId];
  const others = await room.accept({ accountId: await room.funded(10), lane, count: 2, priority: 1 });
  await sql`update outbox_chunks set due = 'infinity' where account_id = ${suspended}`.execute(room.db);
  expect(await queueOf(held)).toMatchObject({ state: 'WAITING', place: null, messages: [] });
  const [first, second] = others.toSorted() as [MessageId, MessageId];
  expect(await queueOf(second)).toMatchObject({
    state: 'WAITING',
    place: 1,
    messages: [{ _id: first }, { _id: second }],
  });
});
