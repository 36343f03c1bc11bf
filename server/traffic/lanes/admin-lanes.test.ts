import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestMessages } from '../../../test/messages.ts';
import { findUnknownAccount } from '../../customer/accounts/index.ts';
import { adminLaneRoutes } from './admin-routes.ts';
import type { LaneProvider } from './lane-provider.ts';
import { newWorker } from './serving/worker-store.ts';
import { syncLanes } from './table/sync-store.ts';

let room: Awaited<ReturnType<typeof openTestMessages>>;
beforeAll(async () => {
  room = await openTestMessages();
});
afterAll(() => room.close());

const provider: LaneProvider = {
  name: 'smpp',
  channel: 'sms',
  simulated: false,
  settings: ['HOST', 'PASSWORD'],
  secrets: ['PASSWORD'],
  lane: ({ HOST }) => {
    if (!HOST) throw new Error('HOST must be set');
    const carrier = () => {
      throw new Error('not opened here');
    };
    return { name: HOST, channel: 'sms', provider: 'smpp', simulated: false, carrier };
  },
};
type Routes = ReturnType<typeof adminLaneRoutes>;
const call = <Name extends keyof Routes>(name: Name, input: object = {}) => {
  const routes = adminLaneRoutes({
    db: room.db,
    secretKey: Buffer.alloc(32, 1),
    providers: [provider],
    countWaiting: async (ids) => new Map(ids.map((id) => [id, 3])),
    findUnknownAccount,
  });
  return (routes[name] as (input: object) => Promise<unknown>)({ changed: () => {}, ...input });
};
const lanes = async () =>
  ((await call('GET /admin/lanes')) as { lanes: { id: number; name: string; mode: string }[] }).lanes;

it('a lane is made with what it is told, shows no secret, and is changed in part', async () => {
  const { accountId } = await room.customer();
  const { laneId } = (await call('POST /admin/lanes', {
    body: {
      name: 'operator-1',
      provider: 'smpp',
      settings: { HOST: 'centre.example', PASSWORD: 'secret' },
      countries: ['HK', 'SG'],
      dedicatedTo: [accountId],
      throttle: { countTenMinute: 10, countOneHour: null, countEightHour: 100, countOneDay: null },
      cost: '0.0125',
      countryCosts: { SG: '0.02' },
    },
  })) as { laneId: number };
  const made = (await lanes()).find(({ id }) => id === laneId);
  expect(made).toMatchObject({
    name: 'operator-1',
    channel: 'sms',
    source: 'admin',
    mode: 'on',
    route: 'sms',
    waiting: 3,
    countries: ['HK', 'SG'],
    dedicatedTo: [accountId],
    throttle: { countTenMinute: 10, countOneHour: null, countEightHour: 100, countOneDay: null },
    cost: '0.0125',
    countryCosts: { SG: '0.02' },
    settings: { HOST: 'centre.example', PASSWORD: null },
  });
  const params = { laneId };
  await call('PUT /admin/lanes/:laneId', { params, body: { cost: '0.03', dedicatedTo: [] } });
  expect((await lanes()).find(({ id }) => id === laneId)).toMatchObject({
    ...made,
    cost: '0.03',
    dedicatedTo: [],
  });
  await call('POST /admin/lanes/:laneId/mode', { params, body: { mode: 'paused' } });
  expect((await lanes()).find(({ id }) => id === laneId)).toMatchObject({ mode: 'paused' });
  await call('DELETE /admin/lanes/:laneId', { params });
  expect((await lanes()).map(({ id }) => id)).not.toContain(laneId);
  await expect(call('PUT /admin/lanes/:laneId', { params, body: {} })).rejects.toThrow('E_NOT_FOUND');
});

it('a lane for an account that does not exist is refused by its id, when it is made and when it is changed', async () => {
  const { accountId } = await room.customer();
  const [unknown, other] = [randomUUID(), randomUUID()];
  const refused = { code: 'E_ACCOUNT_UNKNOWN', params: { accountId: unknown } };
  const make = (dedicatedTo: string[]) =>
    call('POST /admin/lanes', {
      body: { name: 'lent', provider: 'smpp', settings: { HOST: 'a' }, dedicatedTo },
    }) as Promise<{ laneId: number }>;
  await expect(make([accountId, unknown, other])).rejects.toMatchObject(refused);
  expect((await lanes()).map(({ name }) => name)).not.toContain('lent');

  const { laneId } = await make([accountId.toUpperCase()]);
  const change = (dedicatedTo: string[]) =>
    call('PUT /admin/lanes/:laneId', { params: { laneId }, body: { cost: '0.5', dedicatedTo } });
  const stored = async () => (await lanes()).find(({ id }) => id === laneId);
  await expect(change([unknown.toUpperCase()])).rejects.toMatchObject(refused);
  expect(await stored()).toMatchObject({ cost: '0.00', dedicatedTo: [accountId] });

  // Who has closed the account may come back to the lane.
  await sql`update accounts set closed_at = now() where id = ${accountId}`.execute(room.db);
  await change([accountId]);
  expect(await stored()).toMatchObject({ cost: '0.50', dedicatedTo: [accountId] });
});

it('bad settings, an unknown provider and a name that was used are refused', async () => {
  const make = (body: object) => call('POST /admin/lanes', { body: { provider: 'smpp', ...body } });
  await expect(make({ name: 'bad', settings: {} })).rejects.toMatchObject({
    code: 'E_LANE_SETTINGS',
    params: { fault: 'HOST must be set' },
  });
  await expect(make({ name: 'bad', provider: 'pigeon' })).rejects.toThrow('E_LANE_SETTINGS');
  await expect(make({ name: 'operator-1', settings: { HOST: 'a' } })).rejects.toThrow('E_LANE_EXISTS');
});

it('a lane of the settings can be paused, but neither removed nor given other settings', async () => {
  const laneId = await room.addLane({ name: 'of-settings', channel: 'sms' });
  const params = { laneId };
  await expect(call('DELETE /admin/lanes/:laneId', { params })).rejects.toThrow('E_LANE_OF_SETTINGS');
  await expect(
    call('PUT /admin/lanes/:laneId', { params, body: { settings: { HOST: 'b' } } }),
  ).rejects.toThrow('E_LANE_OF_SETTINGS');
  await call('POST /admin/lanes/:laneId/mode', { params, body: { mode: 'paused' } });
  expect((await lanes()).find(({ id }) => id === laneId)).toMatchObject({
    mode: 'paused',
    source: 'settings',
  });
});

it('what an admin changes of a lane of the settings stays until they say something else', async () => {
  const start = (preference: number) =>
    syncLanes(room.db, {
      lanes: [
        { name: 'kept', channel: 'sms', provider: 'smpp', simulated: false, preference, route: 'settings' },
      ],
      worker: newWorker('main'),
      leaseMs: 60_000,
    });
  const laneId = (await start(100)).get('kept') as number;
  const found = async () => (await lanes()).find(({ id }) => id === laneId);
  expect(await found()).toMatchObject({ preference: 100, route: 'settings' });
  const change = { preference: 5, route: 'mine' };
  await call('PUT /admin/lanes/:laneId', { params: { laneId }, body: change });
  await start(100);
  expect(await found()).toMatchObject(change);
  await start(200);
  expect(await found()).toMatchObject({ preference: 200, route: 'mine' });
});
