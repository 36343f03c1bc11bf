import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type DeviceId, MOST_DEVICES, MOST_UNPAIRED } from '../../../contract/fleet/devices.ts';
import { testDevicesDeps } from '../../../test/devices.ts';
import { openTestWallet } from '../../../test/wallet.ts';
import {
  adjust,
  changeLimits,
  readWallet,
  requireRealSender,
  spend,
  suspend,
} from '../../customer/wallet/index.ts';
import { chargeCard } from '../../customer/wallet/testing/index.ts';
import type { DeviceDriver } from './driver.ts';
import { deviceRoutes } from './index.ts';

const room = await openTestWallet();
const { db, deps } = room;
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

/** Nobody serves its lanes: whether a device may start is decided before. */
const driverOf = (simulated: boolean): DeviceDriver => ({
  name: simulated ? 'device-simulator' : 'whatsapp-web',
  simulated,
  isGoverned: () => false,
  carrier: () => {
    throw new Error('nobody opens it');
  },
});
const open = ({ simulated = false, approval = false } = {}) => {
  const routes = deviceRoutes({
    ...testDevicesDeps(db, [driverOf(simulated)]),
    requireRealSender: (trx, accountId) => requireRealSender(trx, accountId, { approval }),
  });
  const call = async (accountId: AccountId, name: keyof typeof routes, input: object) =>
    routes[name]?.({
      caller: { accountId, admin: false, sessionHash: Buffer.alloc(0) },
      language: 'en_US',
      query: {},
      ...input,
    } as never);
  const move = (verb: 'start' | 'stop') => (accountId: AccountId, deviceId: DeviceId) =>
    call(accountId, `POST /devices/:deviceId/${verb}`, { params: { deviceId } });
  return {
    create: async (accountId: AccountId): Promise<DeviceId> => {
      const made = await call(accountId, 'POST /devices/create', { body: { countryCode: 'HK' } });
      return (made as unknown as { deviceId: DeviceId }).deviceId;
    },
    start: move('start'),
    stop: move('stop'),
    pairByCode: (accountId: AccountId, deviceId: DeviceId) =>
      call(accountId, 'POST /devices/:deviceId/pairingCode', {
        params: { deviceId },
        body: { phoneNumber: '+85261110000' },
      }),
  };
};
const topUp = async (accountId: AccountId, name: 'stripe' | 'sandbox') => {
  const { processor } = deps;
  deps.processor = { ...processor, name };
  const cardId = await room.addCard(accountId);
  await chargeCard(deps, { accountId, cardId, amount: '10', idempotencyKey: undefined });
  deps.processor = processor;
};
const pair = (deviceId: DeviceId) =>
  sql`update devices set paired_at = now() where device_id = ${deviceId}`.execute(db);
const refused = (code: string) => ({ code });

test('a real device is made and started by those who may send for real, also when their money is spent', async () => {
  const { create, start, stop, pairByCode } = open();
  const accountId = await room.funded();
  await expect(create(accountId)).rejects.toMatchObject(refused('E_BALANCE_TOO_LOW'));
  await topUp(accountId, 'sandbox');
  await expect(create(accountId)).rejects.toMatchObject(refused('E_SANDBOX_MONEY'));
  await topUp(accountId, 'stripe');
  const { balanceMicros, sandboxMicros } = await readWallet(db, accountId);
  await spend(deps, { accountId, amountMicros: balanceMicros - sandboxMicros, cause: 'batch:all' });
  const deviceId = await create(accountId);
  await stop(accountId, deviceId);
  await suspend(deps, { accountId, reason: 'spam' });
  for (const begin of [create, start, pairByCode])
    await expect(begin(accountId, deviceId)).rejects.toMatchObject(refused('E_SUSPENDED'));
  await suspend(deps, { accountId, reason: null });
  await start(accountId, deviceId);
});

test('where the operator approves accounts, a real device needs that word', async () => {
  const { create } = open({ approval: true });
  const accountId = await room.funded(10);
  await expect(create(accountId)).rejects.toMatchObject(refused('E_NOT_APPROVED'));
  await changeLimits(db, accountId, { approved: true });
  await create(accountId);
});

test('two of an account wait for their pairing at a time; paired and stopped ones do not count', async () => {
  const { create, start, stop, pairByCode } = open();
  const accountId = await room.funded(10);
  const made = await Promise.allSettled(Array.from({ length: 5 }, () => create(accountId)));
  const ids = made.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  expect(ids).toHaveLength(MOST_UNPAIRED);
  const [first, second] = ids as [DeviceId, DeviceId];
  await expect(create(accountId)).rejects.toMatchObject(refused('E_DEVICES_UNPAIRED'));
  // It runs already.
  await pairByCode(accountId, first);
  await pair(first);
  const third = await create(accountId);
  await stop(accountId, second);
  await create(accountId);
  for (const begin of [start, pairByCode])
    await expect(begin(accountId, second)).rejects.toMatchObject(refused('E_DEVICES_UNPAIRED'));
  await stop(accountId, first);
  await start(accountId, first);
  await stop(accountId, third);
  await start(accountId, second);
});

test('simulated devices cost nothing: anybody makes and starts as many as an account may have', async () => {
  const { create, start, stop } = open({ simulated: true, approval: true });
  const accountId = await room.funded();
  for (let at = 0; at < MOST_DEVICES; at += 1) {
    const deviceId = await create(accountId);
    await stop(accountId, deviceId);
    await start(accountId, deviceId);
  }
});

test("an admin's adjustment counts as paid, until it is taken back", async () => {
  const { create } = open();
  const accountId = await room.funded();
  const change = (amount: number) =>
    adjust(deps, { accountId, amount, reason: 'a gift', by: accountId, idempotencyKey: undefined });
  await change(5);
  await create(accountId);
  await change(-5);
  await expect(create(accountId)).rejects.toMatchObject(refused('E_BALANCE_TOO_LOW'));
});
