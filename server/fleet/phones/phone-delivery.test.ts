import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestDelivery } from '../../../test/delivery.ts';
import { openTestPhones } from '../../../test/phones.ts';
import { type Lane, readLaneSends, readLastLanes, type ServableLane } from '../../traffic/lanes/index.ts';
import { openPhoneCarrier } from './phone-carriers.ts';

let room: Awaited<ReturnType<typeof openTestDelivery>>;
let phones: ReturnType<typeof openTestPhones>;
beforeAll(async () => {
  room = await openTestDelivery();
  phones = openTestPhones(room.db);
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  await room.close();
});

const laneOf = async (name: string): Promise<Lane> => {
  const { rows } =
    await sql<Lane>`select id, name from lanes where phone_name = ${name} and mode = 'on'`.execute(room.db);
  return rows[0] as Lane;
};
const isUp = async ({ id }: Lane) => {
  const { rows } = await sql<{ up: boolean | null }>`select up from lanes where id = ${id}`.execute(room.db);
  return rows[0]?.up;
};

it('a worker serves the ways out of phones: one sends and is known to its people, what waits in one that is DOWN moves to it', async () => {
  await phones.add('near', { smsActive: true });
  await phones.add('away', { simHost: 'unreachable-1' }, { smsActive: true });
  const [near, away] = [await laneOf('near'), await laneOf('away')];
  const openCarrier = (lane: ServableLane) => openPhoneCarrier(phones.deps, lane);
  room.work([], { leaseMs: 5_000, failoverAfterMs: 200, openMs: 20_000, answerMs: 20_000 }, { openCarrier });
  const wait = { timeout: 20_000, interval: 50 };
  await vi.waitFor(async () => expect([await isUp(near), await isUp(away)]).toEqual([true, false]), wait);
  const accountId = await room.funded(10);
  const recipient = (at: number) => `+8526111222${at}`;
  const sent = await room.accept({ accountId, lane: near, count: 3, recipient });
  await room.become(sent, 'SUCCESS', 20_000);
  const people = [0, 1, 2].map(recipient);
  const last = await readLastLanes(room.db, people);
  expect(people.map((one) => last.get(one)?.laneId)).toEqual([near.id, near.id, near.id]);
  const counted = (await readLaneSends(room.db, [near.id])).get(near.id) ?? [];
  expect(counted.reduce((sum, one) => sum + one.sent, 0)).toBe(3);

  const stuck = await room.accept({ accountId, lane: away, count: 5, recipient });
  await room.become(stuck, 'SUCCESS', 20_000);
  for (const row of await room.read(stuck))
    expect(row).toMatchObject({ laneId: near.id, triedLanes: [away.id], route: [{ why: 'LANE_DOWN' }] });
}, 90_000);
