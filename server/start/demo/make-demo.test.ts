import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SANDBOX_CARDS } from '../../../contract/customer/sandbox-cards.ts';
import { CHANNELS } from '../../../contract/ground/channels.ts';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { openTestPhones } from '../../../test/phones.ts';
import { findByEmail } from '../../customer/accounts/index.ts';
import { readWallet } from '../../customer/wallet/index.ts';
import { localTime, momentOf } from '../../ground/local-time/index.ts';
import { sandboxCards } from '../../providers/sandbox-cards/index.ts';
import { makeDemo } from './make-demo.ts';
import { makeDemoMessages } from './make-demo-messages.ts';

let room: Awaited<ReturnType<typeof openTestMessages>>;
beforeAll(async () => {
  room = await openTestMessages();
});
afterAll(() => room.close());

it('the demo is made once, also when the first try was cut off, and its passwords are for their owner only', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-demo-'));
  const processor = sandboxCards({ key: Buffer.alloc(32, 1), cards: SANDBOX_CARDS });
  for (const channel of CHANNELS)
    await room.addLane({ name: `simulator-${channel}`, channel, simulated: true });
  const sending = await room.open();
  const { deps: phones } = openTestPhones(room.db);
  const deps = { accounts: room.accounts, wallet: { ...room.deps, processor }, sending, phones };
  const path = await makeDemo(deps, dataDir);
  const first = await readFile(path, 'utf8');
  // As if the program had died just before it recorded that the demo exists.
  await room.pool.query("delete from installation where name = 'first_run'");
  await makeDemo(deps, dataDir);
  await makeDemo(deps, dataDir);
  expect(await readFile(path, 'utf8')).toBe(first);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { customer, admin } = JSON.parse(first);
  expect(await findByEmail(room.db, admin.email)).toBeDefined();
  const account = await findByEmail(room.db, customer.email);
  if (!account) throw new Error('no demo customer');
  const spent = await room.pool.query(
    "select coalesce(sum(price_micros) filter (where status in ('SUCCESS', 'FAILED_WITH_EXCEPTION')), 0)::bigint as micros, count(*)::int as count from messages where account_id = $1",
    [account.id],
  );
  expect(spent.rows[0].count).toBeGreaterThan(100);
  expect((await readWallet(room.db, account.id)).balanceMicros).toBe(
    75_500_000n - BigInt(spent.rows[0].micros),
  );
  // The search reads texts from its copy.
  const found = await room.pool.query(
    "select count(*)::int as count from message_texts where account_id = $1 and text like '%verification%'",
    [account.id],
  );
  expect(found.rows[0].count).toBeGreaterThan(10);
  // What went to or came from a number is in some network, so that admins may search and report by it.
  const networks = await room.pool.query(
    `select coalesce(carrier, '') as carrier from messages
     where account_id = $1 and channel <> 'email' group by 1 order by 1`,
    [account.id],
  );
  expect(networks.rows.map(({ carrier }) => carrier)).toEqual(['cmhk', 'csl', 'smartone', 'three']);
  // A fleet with a week behind it: each phone that sends has sent something.
  const fleet = await room.pool.query('select name, sent::int from phones order by name');
  expect(fleet.rows.map(({ name }) => name)).toEqual(['hk-01', 'hk-02', 'hk-03', 'hk-04', 'hk-05', 'hk-06']);
  expect(fleet.rows.map(({ sent }) => sent > 0)).toEqual([true, true, true, true, true, false]);
  const { rows } = await room.pool.query('select status, count(*)::int from payments group by 1 order by 1');
  expect(rows).toEqual([
    { status: 'FAILED', count: 1 },
    { status: 'SUCCESS', count: 2 },
  ]);
});

it("the demo's phones have sent today's messages too", async () => {
  const accountId = await room.funded();
  // The end of a day: all its messages are sent.
  const today = momentOf(
    `${localTime(new Date(), DEFAULT_TIME_ZONE).slice(0, 10)}T00:00:00`,
    DEFAULT_TIME_ZONE,
  );
  const now = new Date(Number(today) - 60_000);
  await makeDemoMessages(await room.open(), accountId, now);
  const { rows } = await room.pool.query(
    `select distinct m.channel, l.phone_id is not null as by_phone from messages m join lanes l on l.id = m.lane_id
     where m.account_id = $1 and m.created_at > $2::timestamptz - interval '1 day' order by 1`,
    [accountId, now],
  );
  expect(rows).toEqual([
    { channel: 'email', by_phone: false },
    { channel: 'sms', by_phone: true },
    { channel: 'whatsapp', by_phone: true },
  ]);
});

it('where there is no demo money, as with real cards, the messages of the demo cost nothing', async () => {
  const accountId = await room.funded();
  await makeDemoMessages(await room.open(), accountId);
  const { rows } = await room.pool.query(
    'select count(*)::int as count, sum(price_micros)::int as micros from messages where account_id = $1',
    [accountId],
  );
  expect(rows[0].count).toBeGreaterThan(100);
  expect(rows[0].micros).toBe(0);
});
