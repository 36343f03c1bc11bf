import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MediaId } from '../../../contract/traffic/media.ts';
import { openTestDelivery, scriptedCarrier } from '../../../test/delivery.ts';
import { testDevicesDeps } from '../../../test/devices.ts';
import { openDatabase } from '../../ground/postgres/index.ts';
import { type Carrier, storeLaneStates } from '../../traffic/lanes/index.ts';
import { fetchMedia, openMediaFiles } from '../../traffic/media/index.ts';
import { noSubscribers, openRecorder } from '../../traffic/outbox/index.ts';
import { closeDevices } from './close-devices.ts';
import { createDevice } from './create-device.ts';
import { openDeviceCarrier } from './device-carrier.ts';
import { deviceMedia } from './device-media.ts';
import type { DeviceDriver, DeviceSurroundings } from './driver.ts';
import { findFile } from './file-store.ts';
import { logOutDeleted } from './log-out.ts';
import { findDeviceOfLane } from './store.ts';
import { viewDevices } from './view-devices.ts';

let room: Awaited<ReturnType<typeof openTestDelivery>>;
beforeAll(async () => {
  room = await openTestDelivery();
});
afterAll(() => room.close());

/** A device that a worker has just taken, with what its driver was given. */
const open = async () => {
  let given: DeviceSurroundings | undefined;
  const driver: DeviceDriver = {
    name: 'scripted',
    simulated: false,
    isGoverned: () => false,
    carrier: (surroundings): Carrier => {
      given = surroundings;
      return scriptedCarrier().carrier;
    },
  };
  const deps = testDevicesDeps(room.db, [driver]);
  const accountId: AccountId = await room.funded(1);
  const deviceId = await createDevice(deps, accountId, { countryCode: 'HK' });
  const { rows } = await sql<{ id: number }>`select id from lanes where name = ${deviceId}`.execute(room.db);
  const laneId = rows[0]?.id ?? 0;
  const take = () => room.takeLane(laneId, randomUUID());
  const opened = async (): Promise<DeviceSurroundings> => {
    (await openDeviceCarrier(deps, { id: laneId, provider: 'scripted' }))?.();
    return given as DeviceSurroundings;
  };
  await take();
  return { deps, accountId, deviceId, laneId, take, opened };
};

it('a worker that has lost a device neither replaces its session nor changes what is known of it', async () => {
  const { laneId, take, opened } = await open();
  const before = await opened();
  await before.session.write(Buffer.from('first'));
  await sql`update workers set leased_until = now() - interval '1 second'`.execute(room.db);
  await take();
  const after = await opened();
  expect((await after.session.read())?.toString()).toBe('first');
  await after.session.write(Buffer.from('second'));
  await expect(before.session.write(Buffer.from('third'))).rejects.toThrow('another worker has the device');
  await before.events.ended('BANNED');
  await before.events.paired({ phoneNumber: '+85261110000' });
  expect((await after.session.read())?.toString()).toBe('second');
  expect(await findDeviceOfLane(room.db, laneId)).toMatchObject({
    wanted: 'RUNNING',
    ended: null,
    phoneNumber: '',
  });
  await after.events.paired({ phoneNumber: '+852 6111 0000' });
  expect(await findDeviceOfLane(room.db, laneId)).toMatchObject({ phoneNumber: '+85261110000' });
});

it('a device tells which process drives it, for as long as a worker has it', async () => {
  const { deps, laneId, opened } = await open();
  const { events } = await opened();
  const portOf = async () => {
    const device = await findDeviceOfLane(room.db, laneId);
    if (!device) throw new Error('there is no device');
    const [view] = await viewDevices(deps, [device], {
      reader: device.accountId,
      all: false,
      viewing: false,
    });
    return view?.port;
  };
  expect(await portOf()).toBe('');
  await events.driven('4711');
  expect(await portOf()).toBe('4711');
  await sql`update workers set leased_until = now() - interval '1 second'`.execute(room.db);
  expect(await portOf()).toBe('');
});

it('a session beyond its bound is refused', async () => {
  const { session } = await (await open()).opened();
  await expect(session.write(Buffer.alloc(17 * 1024 * 1024))).rejects.toThrow('too large');
});

it('a file that comes with a message is kept for whichever worker fetches it', async () => {
  const { accountId, deviceId, laneId, opened } = await open();
  const { keepFile, events } = await opened();
  await events.paired({ phoneNumber: '+85261110001' });
  const id = await keepFile({ bytes: Buffer.from('a picture'), mimeType: 'image/png' });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const recorder = openRecorder({ db: room.db, log, publisher: noSubscribers, timing: { gatherMs: 1 } });
  await recorder.of({ id: laneId, name: deviceId, channel: 'whatsapp', isDevice: true }).add({
    kind: 'inbound',
    inbound: {
      providerMessageId: 'in-1',
      from: '+85261112222',
      to: '+85261110001',
      text: '',
      at: new Date(),
      content: { kind: 'image', media: { id, kind: 'image', mimeType: 'image/png', fileName: '' } },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'devices-'));
  try {
    const files = openMediaFiles(folder);
    await fetchMedia(
      { db: room.db, files, sourceOf: async () => deviceMedia(room.db), log },
      new AbortController().signal,
    );
    const { rows } = await sql<{ id: MediaId; state: string; account: string }>`
      select id, state, account_id as account from media where lane_id = ${laneId}`.execute(room.db);
    expect(rows).toMatchObject([{ state: 'STORED', account: accountId }]);
    expect((await files.readWhole(rows[0]?.id as MediaId, 100))?.toString()).toBe('a picture');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('a NUL in what a phone says keeps neither its file nor its number from being stored', async () => {
  const { laneId, opened } = await open();
  const { keepFile, events } = await opened();
  const id = await keepFile({ bytes: Buffer.from('a picture'), mimeType: 'image/png\0' });
  expect(await findFile(room.db, id)).toEqual({ bytes: Buffer.from('a picture'), mimeType: 'image/png' });
  await events.paired({ phoneNumber: '+85261110003', displayName: 'A\0nn' });
  expect(await findDeviceOfLane(room.db, laneId)).toMatchObject({
    phoneNumber: '+85261110003',
    displayName: 'Ann',
  });
});

it('what the database can’t store now is told from what it can never store', async () => {
  const { isTransient } = await (await open()).opened();
  const refused = await sql`select ${'\0'}::text`.execute(room.db).catch((error: unknown) => error);
  const gone = openDatabase({ url: 'postgres://127.0.0.1:1/none', max: 1, onError: () => {} });
  const away = await sql`select 1`.execute(gone.db).catch((error: unknown) => error);
  await gone.close();
  expect([refused, new Error('a file of 99 bytes is too large')].map(isTransient)).toEqual([false, false]);
  expect([away, { code: '40P01' }, { code: '53100' }].map(isTransient)).toEqual([true, true, true]);
});

it('closing an account deletes its devices, their sessions and their numbers', async () => {
  const { deps, accountId, deviceId, laneId, opened } = await open();
  const { session, events } = await opened();
  await events.paired({ phoneNumber: '+85261110002' });
  await session.write(Buffer.from('secret'));
  await room.db.transaction().execute((trx) => closeDevices(trx, accountId));
  // Its worker lets go of it without having logged it out.
  await sql`update workers set leased_until = now() - interval '1 second'`.execute(room.db);
  await logOutDeleted(deps);
  const { rows } = await sql`
    select d.phone_number, d.wanted, l.mode, s.device_id as session from devices d join lanes l on l.id = d.lane_id
    left join device_sessions s on s.device_id = d.id where d.device_id = ${deviceId}`.execute(room.db);
  expect(rows).toEqual([{ phone_number: '', wanted: 'STOPPED', mode: 'removed', session: null }]);
  expect(await findDeviceOfLane(room.db, laneId)).toBeUndefined();
});

it('a device that its next worker is still opening is starting, and has lost no connection', async () => {
  const { deps, accountId, laneId, take, opened } = await open();
  const holder = async () => {
    const { rows } = await sql<{ holder: string }>`
      select leased_by as holder from lanes where id = ${laneId}`.execute(room.db);
    return rows[0]?.holder ?? '';
  };
  const report = async (up: boolean) =>
    storeLaneStates(room.db, [{ laneId, holder: await holder(), up, reason: up ? '' : 'cut' }]);
  const state = async () => {
    const device = await findDeviceOfLane(room.db, laneId);
    if (!device) throw new Error('no device');
    const [view] = await viewDevices(deps, [device], { reader: accountId, all: false, viewing: false });
    return [view?.status, view?.reason];
  };
  await (await opened()).events.paired({ phoneNumber: '+85261234567' });
  await report(true);
  expect(await state()).toEqual(['RUNNING', null]);
  await report(false);
  expect(await state()).toEqual(['PENDING', 'DROPPED']);
  await report(true);
  // The program was restarted: another holder has it, and says first that it is not up.
  await room.dieOn(laneId);
  expect(await take()).toBe(true);
  expect(await state()).toEqual(['PENDING', 'STARTING']);
  await report(false);
  expect(await state()).toEqual(['PENDING', 'STARTING']);
  await report(true);
  expect(await state()).toEqual(['RUNNING', null]);
});
