import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import { readNames } from '../../customer/contacts/index.ts';
import type { Carrier, CarrierAnswer, Lane, Question } from '../lanes/index.ts';
import { adminDoubtRoutes } from '../outbox/index.ts';
import { reconcile } from '../outbox/testing/index.ts';

let room: TestDelivery;
let admin: AccountId;
beforeAll(async () => {
  room = await openTestDelivery();
  admin = await room.funded();
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const caller = () => ({ accountId: admin, admin: true, sessionHash: Buffer.alloc(0) });
const doubts = async (query: object = {}): Promise<Reply<'GET /admin/inDoubt'>> =>
  (adminDoubtRoutes({ db: room.db, readNames })['GET /admin/inDoubt'] as (input: object) => Promise<never>)({
    caller: caller(),
    language: 'en_US',
    query: { limit: 50, skip: 0, ...query },
  });
const ask = (ids: MessageId[]): Promise<Reply<'POST /admin/inDoubt/ask'>> =>
  (
    adminDoubtRoutes({ db: room.db, readNames })['POST /admin/inDoubt/ask'] as (
      input: object,
    ) => Promise<never>
  )({
    caller: caller(),
    changed: () => {},
    body: { ids },
  });
const LIMIT = { timeout: 20_000 };

/** A lane whose carrier never answers a message, and answers questions so. */
const silent = async (answer: ((question: Question) => CarrierAnswer) | undefined) => {
  const accountId = await room.funded(10);
  const scripted = scriptedCarrier();
  scripted.script.answer = () => ({ outcome: 'unknown', reason: 'The carrier gave no answer.' });
  const carrier: Carrier = {
    ...scripted.carrier,
    ...(answer && { ask: async (question) => answer(question) }),
  };
  const lane = await room.addLane(() => carrier);
  const [id] = (await room.accept({ accountId, lane })) as [MessageId];
  const delivery = room.work([lane]);
  await expect.poll(async () => (await room.read([id]))[0]?.unknownSince, LIMIT).not.toBeNull();
  return { accountId, lane: lane as Lane, id, delivery };
};

it.each([
  ['taken', 'SUCCESS', 0n],
  ['failed', 'FAILED', PRICE_MICROS],
] as const)('what the carrier has %s becomes %s', async (state, status, refunded) => {
  const asked: Question[] = [];
  const { accountId, id, delivery } = await silent((question) => {
    asked.push(question);
    return { state, code: 'X', said: 'The carrier has it.' };
  });
  expect(await ask([id])).toEqual({ asked: 1 });
  await room.become([id], status, 20_000);
  expect(asked).toMatchObject([{ id, recipient: '+85261000000', text: 'hello', providerMessageId: null }]);
  expect(await room.balance(accountId)).toBe(10_000_000n - PRICE_MICROS + refunded);
  expect(await ask([id])).toEqual({ asked: 0 });
  await delivery.stop(300);
});

it.each([
  [
    'knows nothing',
    () => ({ state: 'absent', code: '', said: 'There is no such message.' }) as const,
    'There is no such message.',
  ],
  ['can not be asked', undefined, 'This carrier can not be asked about a message.'],
] as const)('of a carrier that %s its words are kept, and an admin decides', async (_, answer, said) => {
  const { lane, id, delivery } = await silent(answer);
  await reconcile(room.db, { unknownMs: 0 });
  await ask([id]);
  await expect
    .poll(async () => (await doubts({ laneId: lane.id })).messages[0]?.question?.said, LIMIT)
    .toBe(said);
  const { messages, total, lanes } = await doubts({ laneId: lane.id });
  expect(messages).toMatchObject([
    {
      _id: id,
      status: 'FAILED_WITH_EXCEPTION',
      lane: lane.name,
      reason: 'The carrier gave no answer.',
      attempts: 1,
    },
  ]);
  expect(total).toBe(1);
  expect(lanes.find(({ laneId }) => laneId === lane.id)).toMatchObject({ count: 1, name: lane.name });
  expect((await doubts({ laneId: lane.id, from: '2999-01-01T00:00' })).messages).toEqual([]);
  expect((await doubts({ laneId: lane.id, to: '2999-01-01T00:00' })).total).toBe(1);
  await delivery.stop(300);
});

it('nobody is asked about what is not in doubt', async () => {
  expect(await ask([randomUUID() as MessageId])).toEqual({ asked: 0 });
});

it('a recipient in doubt has the name that the account gave it, and nobody else’s', async () => {
  const { accountId, id, delivery } = await silent(undefined);
  const other = await room.funded();
  await sql`insert into contacts (account_id, channel, recipient, name) values
    (${other}, 'sms', (select recipient from messages where id = ${id}), 'Another’s name'),
    (${accountId}, 'sms', (select recipient from messages where id = ${id}), 'Kwan Mei Ling')
    on conflict (account_id, recipient) do update set name = excluded.name`.execute(room.db);
  const { messages } = await doubts();
  expect(messages.find(({ _id }) => _id === id)?.contactName).toBe('Kwan Mei Ling');
  await delivery.stop(300);
});
