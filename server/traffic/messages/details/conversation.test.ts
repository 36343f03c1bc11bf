import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../../../contract/calls.ts';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import { messageDetailCalls } from '../../../../contract/traffic/message-details.ts';
import type { MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import { openTestMessages } from '../../../../test/messages.ts';
import { readPhoneHosts } from '../../../fleet/phones/index.ts';
import { newId } from '../../../ground/postgres/index.ts';
import type { Caller } from '../../../ground/route/index.ts';
import { detailRoutes } from './detail-routes.ts';

type Page = Reply<'GET /account/:accountId/conversation'>;

const PARTY = '+85261112222';
const OURS = '+85230001000';
const room = await openTestMessages();
const { db } = room;
const routes = detailRoutes({ db, readPhoneHosts, eventsOf: async () => [], holdOf: async () => undefined });
let laneId: number;
let own: AccountId;
let other: AccountId;
beforeAll(async () => {
  // Yesterday may be in the previous month.
  await sql`select messages_make_partition((now() - interval '1 day')::date)`.execute(db);
  laneId = await room.addLane({ name: 'sms', channel: 'sms' });
  await room.addLane({ name: 'email', channel: 'email' });
  [own, other] = [await room.funded(), await room.funded()];
});
afterAll(() => room.close());

interface Row {
  accountId?: AccountId;
  type?: 'incoming' | 'outgoing';
  status?: MessageStatus;
  channel?: Channel;
  party?: string;
  /** In no lane yet. */
  later?: boolean;
  unknown?: boolean;
  at?: number;
  subject?: string;
}
const BASE = Date.now() - 86_400_000;
const insert = async (rows: Row[]): Promise<MessageId[]> => {
  const ids = rows.map(() => newId() as MessageId);
  for (const [place, row] of rows.entries()) {
    const { accountId = own, type = 'outgoing', status = 'SUCCESS', channel = 'sms', party = PARTY } = row;
    const [recipient, sender] = type === 'incoming' ? [OURS, party] : [party, OURS];
    const at = new Date(BASE + (row.at ?? 0) * 1_000);
    await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, sender,
        message, subject, unknown_since, priority, created_at, updated_at)
      values (${ids[place]}, ${accountId}, ${row.later ? null : laneId}, ${channel}, ${type}, ${status}, ${recipient},
        ${recipient}, ${sender}, ${`text ${place}`}, ${row.subject ?? null}, ${row.unknown ? at : null},
        ${place % 2}, ${at}, ${at})`.execute(db);
  }
  return ids;
};

const read = async (
  query: { phone?: string; channel?: Channel; before?: MessageId; limit?: number },
  { accountId = own, caller = own, admin = false } = {},
): Promise<Page> => {
  const ask = routes['GET /account/:accountId/conversation'];
  if (!ask) throw new Error('there is no such call');
  const asked = messageDetailCalls['GET /account/:accountId/conversation'].query.parse({
    phone: PARTY,
    channel: 'sms',
    ...query,
  });
  return ask({
    caller: { accountId: caller, admin } as Caller,
    params: { accountId },
    query: asked,
    language: 'en_US',
  } as never);
};
const ids = ({ messages }: Page) => messages.map(({ _id }) => _id);

test('both directions, the newest first, also what waits, page by page and each once', async () => {
  const rows: Row[] = Array.from({ length: 23 }, (_, n) => ({
    // Several have the same moment, as those of a batch do.
    at: Math.floor(n / 3),
    type: n % 4 === 1 ? 'incoming' : 'outgoing',
    status: n % 4 === 1 ? 'SUCCESS' : n % 5 === 0 ? 'PENDING' : n % 7 === 0 ? 'FAILED' : 'SUCCESS',
    later: n % 10 === 0,
    unknown: n === 15,
  }));
  const made = await insert(rows);
  await insert([
    { accountId: other },
    { channel: 'email' },
    { party: '+85261119999' },
    // Our own number is not a party.
    { party: OURS, type: 'outgoing' },
  ]);
  const expected = made
    .map((id, n) => ({ id, at: rows[n]?.at ?? 0 }))
    .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
  expect(ids(await read({ limit: 100 }))).toEqual(expected);
  const seen: MessageId[] = [];
  for (let more = true; more; ) {
    const page: Page = await read({ limit: 5, ...(seen.length > 0 && { before: seen.at(-1) as MessageId }) });
    expect(page.messages.length).toBeLessThanOrEqual(5);
    seen.push(...(ids(page) as MessageId[]));
    more = page.more;
  }
  expect(seen).toEqual(expected);
  const exactly = await read({ limit: expected.length });
  expect([exactly.messages.length, exactly.more]).toEqual([expected.length, false]);
});

test('a number is understood as people write it, an address by its domain in any case', async () => {
  const party = 'Some.One@example.org';
  const [id] = await insert([{ channel: 'email', party, subject: 'Hello', at: 1 }]);
  const found = await read({ phone: 'Some.One@EXAMPLE.org', channel: 'email' });
  expect(found.messages).toEqual([expect.objectContaining({ _id: id, subject: 'Hello' })]);
  expect((await read({ phone: '+852 6111-2222', limit: 1 })).messages).toHaveLength(1);
  expect(await read({ phone: '+6591234567' })).toEqual({ messages: [], more: false });
});

test('of a short code, which has no country', async () => {
  const [id] = await insert([{ type: 'incoming', party: '12345' }]);
  expect(ids(await read({ phone: '12345' }))).toEqual([id]);
});

test('customers read their own, admins everyone’s with the provider', async () => {
  await expect(read({}, { accountId: other })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  const [own1] = (await read({ limit: 1 })).messages;
  expect(own1?.job).toEqual({
    _id: own1?._id,
    phoneId: null,
    phoneName: null,
    remoteDesktop: null,
    deviceId: null,
    originalDeviceId: null,
    method: null,
    requestNewChatAt: null,
    provider: null,
    providerMessageId: null,
    reason: own1?.reason,
    updatedAt: own1?.updatedAt,
  });
  const [theirs] = (await read({ limit: 1 }, { accountId: other, admin: true })).messages;
  expect(theirs).toMatchObject({ accountId: other, job: { provider: 'test' } });
});

test('a place that is not there, or not theirs, is refused', async () => {
  const [foreign] = await insert([{ accountId: other, at: 5 }]);
  for (const before of [randomUUID() as MessageId, foreign as MessageId])
    await expect(read({ before })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  await expect(read({ phone: '\0 ' })).rejects.toMatchObject({ code: 'E_INVALID_REQUEST' });
  await expect(read({ limit: 101 })).rejects.toThrow();
});
