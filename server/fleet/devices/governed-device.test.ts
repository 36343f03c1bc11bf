import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Reply } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestDelivery } from '../../../test/delivery.ts';
import { openTestDevices, type TestDevices } from '../../../test/devices.ts';
import { detailRoutes } from '../../traffic/messages/index.ts';
import { readPhoneHosts } from '../phones/index.ts';
import { CAREFUL } from './governor.ts';
import { readHold } from './read-hold.ts';

type Timeline = Reply<'GET /messages/:messageId/timeline'>;

/** So few that a test reaches them, at any hour and without pauses. */
const policy = {
  ...CAREFUL,
  sentByDay: [4, 5],
  newByDay: [2, 2],
  quietFrom: 0,
  quietTo: 0,
  pauseMs: [0, 0] as const,
};

let room: Awaited<ReturnType<typeof openTestDelivery>>;
let devices: TestDevices;
beforeAll(async () => {
  room = await openTestDelivery();
  devices = openTestDevices(room, { policy });
  devices.work();
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  await room.close();
});

const timelineOf = async (accountId: AccountId, messageId: string): Promise<Timeline> =>
  (await detailRoutes({
    db: room.db,
    readPhoneHosts,
    eventsOf: async () => [],
    holdOf: (laneId) => readHold(devices.deps, laneId),
  })['GET /messages/:messageId/timeline']?.({
    caller: { accountId, admin: false },
    params: { messageId },
    language: 'en_US',
  } as never)) as Timeline;
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 });

it('strangers beyond the budget are put off alone, the day ends for all, and both are told with their end', async () => {
  const accountId = await room.funded(10);
  const deviceId = await devices.running(accountId, 'careful');
  const send = await devices.openSend();
  const to = (last: number) => send(accountId, deviceId, { phone: `+8526111200${last}` });
  await room.become([await to(1), await to(2)], 'SUCCESS', 20_000);
  const stranger = await to(3);
  await until(async () => {
    const { waiting, steps, message } = await timelineOf(accountId, stranger);
    expect(waiting).toMatchObject({ why: 'DEVICE_NEW_CONTACTS' });
    expect(Date.parse(waiting?.until ?? '')).toBeGreaterThan(Date.now());
    expect(steps.at(-1)).toMatchObject({
      kind: 'put-off',
      errorCode: 'DEVICE_NEW_CONTACTS',
      reason: 'The device has begun as many new chats as it may today.',
    });
    expect(message.job).toMatchObject({ deviceId, originalDeviceId: null });
    expect(message.job.requestNewChatAt).not.toBeNull();
  });
  expect(await devices.read(accountId, deviceId)).toMatchObject({
    hold: { code: 'NEW_CONTACTS' },
    today: { sent: 2, mostSent: 4, newContacts: 2, mostNewContacts: 2, warmUpDay: 1 },
  });
  // Those whom it knows still get theirs.
  await room.become([await to(1), await to(2)], 'SUCCESS', 20_000);
  const last = await to(1);
  await until(async () =>
    expect((await timelineOf(accountId, last)).waiting).toMatchObject({ why: 'DEVICE_WARM_UP' }),
  );
  expect(await devices.read(accountId, deviceId)).toMatchObject({ hold: { code: 'WARM_UP' }, waiting: 2 });
  expect(await room.countByStatus([stranger, last])).toEqual({ PENDING: 2 });
  await devices.call(accountId, 'POST /devices/:deviceId/stop', { params: { deviceId } });
  await devices.become(accountId, deviceId, { status: 'STOPPED' });
  expect((await timelineOf(accountId, last)).waiting).toEqual({ why: 'DEVICE_STOPPED', until: null });
}, 90_000);

it('whoever wrote to a device first is no stranger, and a warning stops it', async () => {
  const accountId = await room.funded(10);
  const deviceId = await devices.running(accountId, 'careful warned');
  const send = await devices.openSend();
  const sent = [];
  for (const phone of ['+85261110008', '+85261112002']) sent.push(await send(accountId, deviceId, { phone }));
  await room.become(sent, 'SUCCESS', 20_000);
  const { rows } = await sql<{ id: number }>`select id from lanes where name = ${deviceId}`.execute(room.db);
  await sql`insert into lane_recipients (lane_id, recipient, last_at)
    values (${rows[0]?.id}, hashtextextended('+85261119999', 0), now())`.execute(room.db);
  // The third message is the one that WhatsApp warns about.
  await room.become([await send(accountId, deviceId, { phone: '+85261119999' })], 'SUCCESS', 20_000);
  await until(async () =>
    expect(await devices.read(accountId, deviceId)).toMatchObject({ hold: { code: 'WARNED' } }),
  );
  const waits = await send(accountId, deviceId, { phone: '+85261110008' });
  await until(async () =>
    expect((await timelineOf(accountId, waits)).waiting).toMatchObject({ why: 'DEVICE_WARNED' }),
  );
  expect(await devices.read(accountId, deviceId)).toMatchObject({
    status: 'RUNNING',
    hold: { code: 'WARNED' },
  });
}, 90_000);
