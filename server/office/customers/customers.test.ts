import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDelivery, type TestDelivery } from '../../../test/delivery.ts';
import { listCustomers } from './store.ts';

let room: TestDelivery;
beforeAll(async () => {
  room = await openTestDelivery();
});
afterAll(() => room.close());

test('accounts whose webhook fails are found, with the time since it does', async () => {
  const [failing, without, well] = [await room.funded(1), await room.funded(1), await room.funded(1)];
  await sql`insert into webhook_endpoints (account_id, url, failing_since) values
    (${failing}, 'https://example.com', '2026-03-04T05:06:07Z'), (${without}, '', now()),
    (${well}, 'https://example.com', null)`.execute(room.db);
  const list = (webhook?: 'failing') => listCustomers(room.db, { webhook, limit: 50, approval: false });
  expect((await list('failing')).map(({ id }) => id)).toEqual([failing]);
  const since = new Map((await list()).map(({ id, webhookFailingSince }) => [id, webhookFailingSince]));
  expect(since.get(failing)).toEqual(new Date('2026-03-04T05:06:07Z'));
  expect([since.get(without), since.get(well)]).toEqual([null, null]);
});
