import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { openTestPhones } from '../../../test/phones.ts';
import { readProfile } from '../../customer/accounts/index.ts';
import { replacePrefixes } from '../../traffic/carriers/index.ts';
import { listLentNumbers, noteRecipients } from '../../traffic/lanes/index.ts';
import { findTroubledLanes, moveFrom, transferRoutes } from '../../traffic/outbox/index.ts';

const TO = '+85261112222';
let room: Awaited<ReturnType<typeof openTestMessages>>;
let phones: ReturnType<typeof openTestPhones>;
let accountId: AccountId;
beforeAll(async () => {
  room = await openTestMessages();
  phones = openTestPhones(room.db);
  accountId = await room.funded();
  await room.addMoney(accountId, 5);
  for (const name of ['p1', 'p2', 'p3']) await phones.add(name, { smsActive: true });
  await phones.add('w1', { whatsappActive: true });
  await sql`update lanes set up = true`.execute(room.db);
});
afterAll(() => room.close());

const laneOf = async (phone: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select id from lanes where phone_name = ${phone}`.execute(
    room.db,
  );
  return rows[0]?.id ?? 0;
};
const meet = async (phone: string, recipient = TO) =>
  noteRecipients(room.db, [{ laneId: await laneOf(phone), recipient, at: Date.now() }]);
const send = async (recipientRaw = TO, by = accountId) => {
  const { send: accept } = await room.open();
  const { _id } = await accept({
    sender: { accountId: by, test: false, byPage: false },
    channel: 'sms',
    wanted: { recipientRaw, message: 'hello' },
    idempotencyKey: undefined,
  } as never);
  return _id;
};
const placeOf = async (id: string) => {
  const { rows } = await sql<{ phone: string; why: string | null; route: { why: string }[] | null }>`
    select l.phone_name as phone, m.lane_why as why, m.route from messages m join lanes l on l.id = m.lane_id
    where m.id = ${id}`.execute(room.db);
  return rows[0];
};
type Routes = ReturnType<typeof transferRoutes>;
const call = <Name extends keyof Routes>(name: Name, input: object) =>
  (transferRoutes(phones.deps)[name] as (input: object) => Promise<unknown>)({
    query: {},
    body: {},
    language: 'en_US',
    changed: () => {},
    ...input,
  });
const preview = async (jobId: string, includeSelf?: string) =>
  (
    (await call('GET /job/:jobId/transferPreview', {
      params: { jobId },
      query: { includeSelf },
    })) as Reply<'GET /job/:jobId/transferPreview'>
  ).phoneScores;
const transfer = (jobId: string, phoneName?: string) =>
  call('POST /job/:jobId/transfer', { params: { jobId }, body: { phoneName } });

it('a message goes by the phone that last wrote to its recipient, and others take turns', async () => {
  await meet('p3');
  expect(await placeOf(await send())).toMatchObject({ phone: 'p3', why: 'STICKY' });
  const others = await Promise.all([send('+85261113331'), send('+85261113332')]);
  expect((await placeOf(others[0]))?.why).toBe('SPREAD');
});

it("a phone in the recipient's network is chosen, by the table of prefixes", async () => {
  await replacePrefixes(room.db, [{ prefix: '+8526999', carrierName: 'csl' }]);
  const { rows } = await sql<{
    id: string;
  }>`select phone_id as id from lanes where phone_name = 'p2'`.execute(room.db);
  await phones.edit(rows[0]?.id as never, { carrierAliases: 'csl' });
  for (const number of ['+85269990001', '+85269990002'])
    expect(await placeOf(await send(number))).toMatchObject({ phone: 'p2' });
});

it('the preview scores the phones, and the transfer goes to the best or to the one that is named', async () => {
  await meet('p1', '+85261114444');
  const jobId = await send('+85261114444');
  expect(await placeOf(jobId)).toMatchObject({ phone: 'p1' });
  const all = await preview(jobId, 'true');
  expect(all[0]).toMatchObject({
    phoneName: 'p1',
    chosen: true,
    stickyness: 1,
    idealVolume: 0,
    sentCount: 0,
  });
  expect(all.find(({ phoneName }) => phoneName === 'w1')).toMatchObject({
    score: null,
    why: expect.any(String),
  });
  const others = await preview(jobId);
  expect(others.map(({ phoneName }) => phoneName)).not.toContain('p1');
  expect(await transfer(jobId, 'p3')).toEqual({ toDevice: { phoneName: 'p3' } });
  expect(await placeOf(jobId)).toMatchObject({ phone: 'p3', route: [{ why: 'TRANSFERRED' }] });
  await expect(transfer(jobId, 'p3')).rejects.toMatchObject({ code: 'E_NOT_TRANSFERRED' });
  await expect(transfer(jobId, 'w1')).rejects.toMatchObject({
    code: 'E_NOT_TRANSFERRED',
    params: { reason: { label: 'routing.channel.whatsapp' } },
  });
  await expect(transfer(jobId, 'nobody')).rejects.toMatchObject({ code: 'E_NOT_TRANSFERRED' });
  const [next] = await preview(jobId);
  expect(await transfer(jobId)).toEqual({ toDevice: { phoneName: next?.phoneName } });
});

it('what waits in a phone that is DOWN moves to others, and says so', async () => {
  await meet('p1', '+85261115555');
  const jobId = await send('+85261115555');
  const down = await laneOf('p1');
  await sql`update lanes set up = false, down_since = now() - interval '1 hour' where id = ${down}`.execute(
    room.db,
  );
  const lane = {
    id: down,
    name: 'p1.sim-modem',
    channel: 'sms' as const,
    simulated: true,
    route: 'sms',
    why: 'LANE_DOWN' as const,
  };
  await moveFrom(room.db, lane);
  expect(await placeOf(jobId)).toMatchObject({ route: [{ why: 'LANE_DOWN' }] });
  expect((await placeOf(jobId))?.phone).not.toBe('p1');
});

it('what waits in a phone that is suspended moves to others, and says so; one that keeps its messages does not', async () => {
  await sql`update lanes set up = true, down_since = null`.execute(room.db);
  const suspend = async (name: string) => {
    const { rows } = await sql<{
      id: string;
    }>`select phone_id as id from lanes where phone_name = ${name}`.execute(room.db);
    await phones.edit(rows[0]?.id as never, { smsSuspended: true });
  };
  await phones.add('keeper', { setting: '{"isTransferAvailable":false}' }, { smsActive: true });
  await phones.add('mover', { smsActive: true });
  await sql`update lanes set up = true`.execute(room.db);
  await meet('mover', '+85261116661');
  await meet('keeper', '+85261116662');
  const [moving, kept] = [await send('+85261116661'), await send('+85261116662')];
  expect([(await placeOf(moving))?.phone, (await placeOf(kept))?.phone]).toEqual(['mover', 'keeper']);
  await suspend('mover');
  await suspend('keeper');
  for (const lane of await findTroubledLanes(room.db, 0)) await moveFrom(room.db, lane);
  expect((await placeOf(moving))?.phone).not.toBe('mover');
  expect(await placeOf(moving)).toMatchObject({ route: [{ why: 'LANE_SUSPENDED' }] });
  expect(await placeOf(kept)).toMatchObject({ phone: 'keeper', route: null });
});

it("a transfer and a failover weigh the recipient's network too", async () => {
  await replacePrefixes(room.db, [{ prefix: '+8526777', carrierName: 'smartone' }]);
  await phones.add('away', { smsActive: true });
  await phones.add('on-net', { carrierAliases: 'smartone' }, { smsActive: true });
  await sql`update lanes set up = true, down_since = null`.execute(room.db);
  const ids = [];
  for (let at = 0; at < 3; at += 1) {
    await meet('away', `+8526777000${at}`);
    ids.push(await send(`+8526777000${at}`));
  }
  const [first, ...rest] = ids as [string, ...string[]];
  expect(await placeOf(first)).toMatchObject({ phone: 'away' });
  expect(await transfer(first)).toEqual({ toDevice: { phoneName: 'on-net' } });
  await sql`update lanes set up = false, down_since = now() - interval '1 hour' where phone_name = 'away'`.execute(
    room.db,
  );
  for (const lane of await findTroubledLanes(room.db, 60_000)) await moveFrom(room.db, lane);
  for (const id of rest) expect(await placeOf(id)).toMatchObject({ phone: 'on-net' });
});

it('a phone that is lent to an account is among its numbers, and has its messages only', async () => {
  await phones.add(
    'lent',
    { phoneNumber: '+852 6000 1234' },
    { setting: JSON.stringify({ dedicatedTo: [accountId] }) },
    { smsActive: true },
  );
  await sql`update lanes set up = true`.execute(room.db);
  const profile = await readProfile({ db: room.db, listLentNumbers }, accountId, 'en_US');
  expect(profile.setting.sms.dedicatedPhones).toEqual(['+85260001234']);
  expect(await placeOf(await send('+85261118881'))).toMatchObject({ phone: 'lent' });
  const other = await room.funded();
  await room.addMoney(other, 5);
  expect(
    (await readProfile({ db: room.db, listLentNumbers }, other, 'en_US')).setting.sms.dedicatedPhones,
  ).toEqual([]);
  expect((await placeOf(await send('+85261118882', other)))?.phone).not.toBe('lent');
});
