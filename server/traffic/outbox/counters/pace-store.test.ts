import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestMessages } from '../../../../test/messages.ts';
import { expectSeconds } from '../../uploads/index.ts';
import { readPace } from './pace-store.ts';

const room = await openTestMessages();
const { db } = room;
afterAll(room.close);

/** Messages of one file, sent one after the other within this many seconds. */
const sentFile = async (accountId: string, at: { hoursAgo: number; count: number; seconds: number }) => {
  const { hoursAgo, count, seconds } = at;
  await sql`
    insert into messages (id, account_id, batch_id, channel, type, status, recipient_raw, recipient, message,
      priority, sent_at, created_at, updated_at)
    select gen_random_uuid(), ${accountId}::uuid, ${randomUUID()}::uuid, 'sms', 'outgoing', 'SUCCESS', '1', '1', 'x', 1,
      made.at + make_interval(secs => ${seconds}::float8 * (n - 1) / (${count}::int - 1)), made.at, made.at
    from (select now() - make_interval(hours => ${hoursAgo}) as at) made, generate_series(1, ${count}::int) n`.execute(
    db,
  );
};

test('a file is expected to take as long as the last one did, whatever the time between files', async () => {
  const accountId = await room.funded(1);
  const expected = () => readPace(db, accountId, 'sms').then((pace) => expectSeconds(10_000, pace));
  const assumed = await expected();
  await sentFile(accountId, { hoursAgo: 3, count: 400, seconds: 40 });
  expect(await expected()).toBe(1_000);
  await sentFile(accountId, { hoursAgo: 2, count: 400, seconds: 4 });
  expect(await expected()).toBe(100);
  // Too small to say anything.
  await sentFile(accountId, { hoursAgo: 1, count: 20, seconds: 20 });
  expect(await expected()).toBe(100);
  expect(expectSeconds(10_000, await readPace(db, accountId, 'email'))).toBe(assumed);
});
