import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestMessages } from '../../../../test/messages.ts';
import { messageLines } from './export-messages.ts';

const room = await openTestMessages();
const { db } = room;
afterAll(room.close);

test('an export has all messages, and never more long ones in memory than a page holds', async () => {
  const accountId = await room.funded();
  const MESSAGES = 20;
  await sql`insert into messages (id, account_id, channel, type, status, recipient_raw, recipient, message, html,
      price_micros, created_at, updated_at)
    select gen_random_uuid(), ${accountId}, 'email', 'outgoing', 'SUCCESS', 'a@example.com', 'a@example.com', 'x',
      repeat('y', 500000), 0, now() - (n / 3) * interval '1 second', now()
    from generate_series(1, ${MESSAGES}) n`.execute(db);
  const ids = new Set<string>();
  let most = 0;
  for await (const lines of messageLines(db, accountId)) {
    most = Math.max(most, lines.join('').length);
    for (const line of lines) ids.add(line.slice(0, 36));
  }
  // And the titles.
  expect(ids.size).toBe(MESSAGES + 1);
  expect(most).toBeLessThan(2_000_000);
});
