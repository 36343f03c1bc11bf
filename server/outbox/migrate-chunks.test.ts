import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { olderDatabase } from '../../test/database.ts';
import { migrate } from '../postgres/index.ts';

const OWNER = '00000000-0000-7000-8000-000000000001';
const idOf = (at: number): string => `00000000-0000-7000-8000-0000000001${String(at).padStart(2, '0')}`;

test('what a database of an older version has waiting, claimed, for later and sent finds its place', async () => {
  const { url, db, close } = await olderDatabase('0038');
  onTestFinished(close);

  const insert = (at: number, columns: string, values: string) =>
    sql`insert into messages (id, account_id, channel, type, recipient_raw, recipient, message, created_at, updated_at,
        ${sql.raw(columns)})
      values (${idOf(at)}, ${OWNER}, 'sms', 'outgoing', '1', '1', 'x', date_trunc('second', now()), now(),
        ${sql.raw(values)})`.execute(db);
  await insert(1, 'status, lane_id', `'PENDING', 1`);
  await insert(2, 'status, lane_id', `'PENDING', 1`);
  await insert(3, 'status, lane_id, claimed_by, claimed_at', `'PENDING', 1, gen_random_uuid(), now()`);
  await insert(4, 'status, scheduled_at', `'PENDING', now() + interval '1 day'`);
  await insert(5, 'status, lane_id, not_before', `'PENDING', 1, now() + interval '1 hour'`);
  await insert(6, 'status, lane_id, claimed_by, unknown_since', `'PENDING', 1, gen_random_uuid(), now()`);
  await insert(7, 'status, lane_id, provider_message_id', `'SUCCESS', 1, 'c-7'`);
  await migrate(url);

  const chunks = await sql<{ lane: number; ids: string[] }>`
    select lane_id as lane, ids from outbox_chunks order by lane_id, due`.execute(db);
  expect(chunks.rows).toEqual([
    { lane: 0, ids: [idOf(4)] },
    { lane: 1, ids: [idOf(1), idOf(2)] },
    { lane: 1, ids: [idOf(5)] },
  ]);
  const unknown = await sql<{ id: string }>`
    select id from messages where unknown_since is not null order by id`.execute(db);
  expect(unknown.rows.map(({ id }) => id)).toEqual([idOf(3), idOf(6)]);
  const named = await sql`select message_id as id, provider_message_id as name from carrier_ids`.execute(db);
  expect(named.rows).toEqual([{ id: idOf(7), name: 'c-7' }]);
});
