import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { changeWaiting } from '../../../test/chunks.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { releaseDue } from '../outbox/testing/index.ts';
import type { SendRequest } from './send.ts';

const room = await openTestMessages();
const { db } = room;
const real = await room.addLane({ name: 'sms', channel: 'sms' });
const simulator = await room.addLane({ name: 'sms-simulator', channel: 'sms', simulated: true });
const deps = await room.open();
beforeEach(() => {
  room.woken.length = 0;
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const later = (
  accountId: AccountId,
  over: Partial<SendRequest['wanted']> = {},
  test = false,
): SendRequest => ({
  sender: { accountId, test },
  channel: 'sms',
  wanted: { recipientRaw: '6111 2222', message: 'hello', sendAt: inDays(1), ...over },
  idempotencyKey: undefined,
});
const scheduled = async (accountId: AccountId) =>
  (
    await sql<{ laneId: number | null; at: Date; until: Date }>`
      select lane_id as "laneId", scheduled_at as at, expires_at as until from messages
      where account_id = ${accountId} order by id`.execute(db)
  ).rows;
const makeDue = (accountId: AccountId) =>
  changeWaiting(db, sql`scheduled_at = now() - interval '1 second'`, sql`account_id = ${accountId}`);

test('a scheduled message is paid at once, waits in no lane and is asked for at its time', async () => {
  const accountId = await room.funded(1);
  const sendAt = inDays(3);
  const before = room.jobs.length;
  const answer = await deps.send(later(accountId, { sendAt, lateLimitMinutes: 5 }));
  expect(answer).toMatchObject({ status: 'PENDING', sendAt, balance: 0.967949 });
  const [message] = await scheduled(accountId);
  expect(message?.laneId).toBeNull();
  expect(message?.at.toISOString()).toBe(sendAt);
  expect((message?.until.getTime() ?? 0) - (message?.at.getTime() ?? 0)).toBe(5 * 60_000);
  expect(room.woken).toEqual([]);
  expect(room.jobs.slice(before).map(({ name }) => name)).toContain('outbox.release-due');
  expect(await releaseDue(deps)).toBe(0);
});

test("a time without an offset is on the account's clocks", async () => {
  const accountId = await room.funded(1);
  await sql`update accounts set time_zone = 'America/New_York' where id = ${accountId}`.execute(db);
  const year = new Date().getUTCFullYear() + (new Date().getUTCMonth() >= 6 ? 1 : 0);
  const { sendAt } = await deps.send(later(accountId, { sendAt: `${year}-06-15T09:30` }));
  expect(sendAt).toBe(`${year}-06-15T13:30:00.000Z`);
});

test('when its time has come it goes to the lane that fits, once', async () => {
  const accountId = await room.funded(1);
  await deps.send(later(accountId));
  await deps.send(later(accountId, {}, true));
  await makeDue(accountId);
  const released = await Promise.all([releaseDue(deps), releaseDue(deps)]);
  expect(released[0] + released[1]).toBe(2);
  expect((await scheduled(accountId)).map(({ laneId }) => laneId)).toEqual([real, simulator]);
  expect(room.woken.flat().sort()).toEqual([real, simulator].sort());
});

test('what was paid as real never goes to a simulator, even when nothing real is left', async () => {
  const accountId = await room.funded(1);
  await deps.send(later(accountId));
  await makeDue(accountId);
  await sql`update lanes set mode = 'removed' where id = ${real}`.execute(db);
  try {
    expect(await releaseDue(await room.open())).toBe(0);
  } finally {
    await sql`update lanes set mode = 'on' where id = ${real}`.execute(db);
  }
  expect(await releaseDue(await room.open())).toBe(1);
});

test.each([
  ['tomorrow', 'E_SEND_AT_INVALID'],
  ['2026-02-31T99:00', 'E_SEND_AT_INVALID'],
  ['2001-01-01T00:00', 'E_SEND_AT_PAST'],
  [inDays(400), 'E_SEND_AT_TOO_FAR'],
])('to send at %s is refused with %s, free of charge', async (sendAt, code) => {
  const accountId = await room.funded(1);
  await expect(deps.send(later(accountId, { sendAt }))).rejects.toMatchObject({ code });
  expect(await room.balance(accountId)).toBe(1_000_000n);
});

test('calls for different times that meet in one commit keep their times', async () => {
  const accountId = await room.funded(1);
  const times = [inDays(1), inDays(2), inDays(2)];
  const answers = await Promise.all(times.map((sendAt) => deps.send(later(accountId, { sendAt }))));
  expect(answers.map(({ sendAt }) => sendAt)).toEqual(times);
  expect((await scheduled(accountId)).map(({ at }) => at.toISOString()).sort()).toEqual(times);
});
