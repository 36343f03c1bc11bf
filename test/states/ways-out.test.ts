import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICE_REASONS, DEVICE_STATUSES, type DeviceId } from '../../contract/fleet/devices.ts';
import {
  PHONE_FLAGS,
  PHONE_HEALTHS,
  PHONE_THROTTLES,
  type PhoneFlag,
  type PhoneThrottle,
} from '../../contract/fleet/phone-rules.ts';
import type { Phone, PhoneEdit, PhoneId } from '../../contract/fleet/phones.ts';
import { LANE_MODES, LANE_SOURCES } from '../../contract/traffic/lanes.ts';
import { SIMULATED_RECIPIENTS } from '../../contract/traffic/simulator.ts';
import { deviceSimulator } from '../../server/providers/simulator/index.ts';
import { openScene, type Scene } from './scene.ts';
import {
  DEVICE_TABLE,
  LANE_TABLE,
  type LaneState,
  OTHER_PHONE_STATES,
  PHONE_TABLE,
  type PhoneState,
} from './way-out-tables.ts';
import { WRITES } from './writes.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ drivers: [deviceSimulator({ recipients: SIMULATED_RECIPIENTS })] });
});
afterAll(() => scene.close());

/** What a check constraint of a column allows. */
const allowed = async (table: string, column: string): Promise<string[]> => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table}::regclass and conname = ${`${table}_${column}_check`}`.execute(scene.db);
  return [...(rows[0]?.definition ?? '').matchAll(/'(\w+)'/g)].map(([, value]) => value ?? '').toSorted();
};
const laneRow = async (id: number): Promise<{ mode: string; revision: string }> => {
  const { rows } = await sql<{ mode: string; revision: string }>`
    select mode, revision::text from lanes where id = ${id}`.execute(scene.db);
  return rows[0] as { mode: string; revision: string };
};

const LANE_STATES = LANE_SOURCES.flatMap((source) =>
  LANE_MODES.map((mode): LaneState => `of ${source}, ${mode}`),
);
const PHONE_STATES: PhoneState[] = [
  ...PHONE_HEALTHS,
  ...PHONE_FLAGS.map((flag) => `flagged ${flag}` as const),
  ...PHONE_THROTTLES.map((throttle) => `no room in ${throttle}` as const),
  ...OTHER_PHONE_STATES,
];
const BODIES: Record<(typeof WRITES)['lane'][number], object> = {
  'PUT /admin/lanes/:laneId': { cost: '0.5' },
  'POST /admin/lanes/:laneId/mode': { mode: 'paused' },
  'DELETE /admin/lanes/:laneId': {},
  'POST /admin/lanes/:laneId/test': { phone: '+85261112222', message: 'hello' },
};

test('the tables have a row for every state of a lane, a phone and a device, and a cell for every action', async () => {
  expect(await allowed('lanes', 'source')).toEqual(LANE_SOURCES.toSorted());
  expect(await allowed('lanes', 'mode')).toEqual(LANE_MODES.toSorted());
  const tables = [
    [LANE_TABLE, LANE_STATES, WRITES.lane],
    [PHONE_TABLE, PHONE_STATES, [...WRITES.phone, 'POST /job/:jobId/transfer']],
    [
      DEVICE_TABLE,
      [...DEVICE_STATUSES.filter((status) => status !== 'PENDING'), ...DEVICE_REASONS],
      WRITES.device,
    ],
  ] as const;
  for (const [table, states, actions] of tables) {
    expect(Object.keys(table).toSorted()).toEqual([...states].toSorted());
    for (const [state, row] of Object.entries(table))
      expect(Object.keys(row).toSorted(), state).toEqual([...actions].toSorted());
  }
});

/** What an operator may do there does not depend on whether it is up. */
const LANE_HEALTHS = [true, false, null];
const LANE_CASES = WRITES.lane.flatMap((action) => LANE_HEALTHS.map((up) => [action, up] as const));
describe.each(LANE_STATES)('a lane %s', (state) => {
  test.each(LANE_CASES)('%s, up: %s', async (action, up) => {
    const [source, mode] = state.slice('of '.length).split(', ') as [string, string];
    const phoneId = source === 'phone' ? randomUUID() : null;
    const { rows } = await sql<{ id: number }>`
      insert into lanes (name, channel, provider, simulated, source, mode, phone_id, up, preference)
      values (${randomUUID()}, 'sms', 'test', false, ${source}, ${mode}, ${phoneId}::uuid, ${up}, 1)
      returning id`.execute(scene.db);
    const lane = { id: rows[0]?.id ?? 0 };
    const before = await laneRow(lane.id);
    const act = () => scene.refusal(action, { params: { laneId: lane.id }, body: BODIES[action] });
    // Who sends a test finds the lane by facts that are a moment old.
    if (action.endsWith('/test'))
      return expect.poll(async () => (await act()) ?? 'done').toBe(LANE_TABLE[state][action]);
    const code = await act();
    const after = await laneRow(lane.id);
    const expected = LANE_TABLE[state][action];
    if (code !== undefined) expect(after, 'what is refused changes nothing').toEqual(before);
    const becomes = after.mode === before.mode ? 'done' : after.mode;
    expect(code ?? becomes).toBe(expected);
  });
});

/** What makes it so, one after the other. */
const editsOf = (state: PhoneState): PhoneEdit[] => {
  const [kind = '', name = ''] = state.split(/ (?=\w+$)/);
  const sends = { smsActive: true };
  if (kind === 'flagged')
    return [...(name.endsWith('Suspended') ? [sends] : []), { [name as PhoneFlag]: true }];
  if (kind === 'no room in') return [sends, { [name as PhoneThrottle]: 0 }];
  if (state === 'released') return [sends, { remark: 'RELEASED' }];
  return state === 'unknown' ? [] : [sends];
};
const heard = (phoneId: PhoneId, { up, ago }: { up: boolean; ago: string }) =>
  sql`with beat as (update phones set last_heartbeat_at = now() - ${ago}::interval where id = ${phoneId})
    update lanes set up = ${up}, down_since = case when not ${up} then now() end where phone_id = ${phoneId}`.execute(
    scene.db,
  );
/** An agent drives it, and another one says that it has its SIM. */
const moveSim = async (phoneId: PhoneId): Promise<string> => {
  const [home, other] = [randomUUID(), randomUUID()];
  await sql`insert into agents (id, name, secret_hash, version)
    select id, id, decode(md5(id::text), 'hex'), '1' from unnest(${[home, other]}::uuid[]) as given (id)`.execute(
    scene.db,
  );
  await sql`update phones set agent_id = ${home}::uuid, imsi = '454001111111111' where id = ${phoneId}`.execute(
    scene.db,
  );
  await sql`insert into agent_modems (agent_id, name, driver, imsi, moved_phone_id, moved_at)
    values (${other}::uuid, 'm1', 'serial', '454001111111111', ${phoneId}, now())`.execute(scene.db);
  return other;
};

describe.each(PHONE_STATES)('a phone: %s', (state) => {
  const make = async (): Promise<{ phoneId: PhoneId; name: string; agentId: string }> => {
    const name = `p-${randomUUID().slice(0, 8)}`;
    const phoneId = await scene.phones.add(name, ...editsOf(state));
    if (state !== 'not heard of yet')
      await heard(phoneId, state === 'DOWN' ? { up: false, ago: '1 hour' } : { up: true, ago: '0' });
    const agentId = state === 'its SIM may have moved' ? await moveSim(phoneId) : randomUUID();
    return { phoneId, name, agentId };
  };
  const becomes = async (action: keyof (typeof PHONE_TABLE)[PhoneState], input: object, done: string) =>
    expect((await scene.refusal(action, input)) ?? done).toBe(PHONE_TABLE[state][action]);

  test('its health is shown so', async () => {
    const { phoneId } = await make();
    const { phoneNumberInventory } = (await scene.call('GET /phoneNumberInventory', {
      query: { all: 'true' },
    })) as unknown as { phoneNumberInventory: Phone[] };
    const shown = phoneNumberInventory.find(({ _id }) => _id === phoneId)?.health.sms;
    if (PHONE_HEALTHS.some((health) => health === state)) expect(shown).toBe(state);
    else expect(PHONE_HEALTHS).toContain(shown);
  });
  test('PUT /phoneNumberInventory/:phoneId', async () => {
    const { phoneId } = await make();
    const input = { params: { phoneId }, body: { remark: 'SIM in drawer 2' } };
    await becomes('PUT /phoneNumberInventory/:phoneId', input, 'done');
  });
  test('POST /admin/agents/:agentId/movedSim', async () => {
    const { agentId } = await make();
    const input = { params: { agentId }, body: { modem: 'm1' } };
    await becomes('POST /admin/agents/:agentId/movedSim', input, 'done');
  });
  test('POST /job/:jobId/transfer', async () => {
    const { name: phoneName } = await make();
    const accountId = await scene.funded(10);
    const from = await scene.phones.add(`from-${phoneName}`, { smsActive: true });
    await heard(from, { up: true, ago: '0' });
    const lane = await sql<{ id: number }>`select id from lanes where phone_id = ${from}`.execute(scene.db);
    const [jobId] = await scene.accept({ accountId, lane: { id: lane.rows[0]?.id } as never });
    await sql`update messages set test = true where id = ${jobId}`.execute(scene.db);
    await becomes('POST /job/:jobId/transfer', { params: { jobId }, body: { phoneName } }, 'moves');
  });
});

/** As the device's own row and its lane's say it. */
const DEVICE_FACTS: Record<keyof typeof DEVICE_TABLE, { device: string; lane: string }> = {
  RUNNING: { device: 'paired_at = now()', lane: 'up = true, was_up = true' },
  STOPPED: { device: "wanted = 'STOPPED', paired_at = now()", lane: 'leased_by = null' },
  STARTING: { device: '', lane: 'up = null, leased_by = null' },
  NO_PLACE: { device: '', lane: "up = false, state_reason = 'NO_PLACE'" },
  PAIRING: {
    device: `pairing = '{"kind":"qr","text":"x","expiresAt":"2030-01-01T00:00:00Z","attempt":1,"attempts":5}'`,
    lane: 'up = false',
  },
  DROPPED: { device: 'paired_at = now()', lane: 'up = false, was_up = true' },
  STOPPING: { device: "wanted = 'STOPPED', paired_at = now()", lane: 'up = true' },
  PAIRING_UNUSED: { device: "wanted = 'STOPPED', ended = 'PAIRING_UNUSED'", lane: 'leased_by = null' },
  LOGGED_OUT: { device: "wanted = 'STOPPED', ended = 'LOGGED_OUT'", lane: 'leased_by = null' },
  PHONE_LOST: { device: "wanted = 'STOPPED', ended = 'PHONE_LOST'", lane: 'leased_by = null' },
  BANNED: { device: "wanted = 'STOPPED', ended = 'BANNED'", lane: 'leased_by = null' },
};

describe.each(Object.keys(DEVICE_FACTS) as (keyof typeof DEVICE_TABLE)[])('a device that is %s', (state) => {
  test.each(WRITES.device)('%s', async (action) => {
    const accountId = await scene.funded(10);
    const made = await scene.call('POST /devices/create', { accountId, body: { countryCode: 'HK' } });
    const deviceId = made.deviceId as unknown as DeviceId;
    const { rows } = await sql<{ id: number }>`select id from lanes where name = ${deviceId}`.execute(
      scene.db,
    );
    const laneId = rows[0]?.id ?? 0;
    await scene.takeLane(laneId, randomUUID());
    const { device, lane } = DEVICE_FACTS[state];
    if (device)
      await sql`update devices set ${sql.raw(device)} where device_id = ${deviceId}`.execute(scene.db);
    await sql`update lanes set ${sql.raw(lane)} where id = ${laneId}`.execute(scene.db);
    const { devices } = (await scene.call('GET /devices', { accountId })) as unknown as {
      devices: { status: string; reason: string | null }[];
    };
    expect(devices.map(({ status, reason }) => reason ?? status)).toEqual([state]);
    const body = action === 'POST /devices/:deviceId/pairingCode' ? { phoneNumber: '+85261112222' } : {};
    const code = await scene.refusal(action, { accountId, params: { deviceId }, body });
    expect(code ?? 'done').toBe(DEVICE_TABLE[state][action]);
  });
});
