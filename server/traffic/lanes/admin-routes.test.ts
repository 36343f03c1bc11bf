import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestMessages } from '../../../test/messages.ts';
import { outcomeReason } from '../messages/index.ts';
import { adminLaneRoutes, adminMessageRoutes } from './admin-routes.ts';
import { findLaneIds, readLanes } from './table/store.ts';

let room: Awaited<ReturnType<typeof openTestMessages>>;
beforeAll(async () => {
  room = await openTestMessages();
});
afterAll(() => room.close());

it('every lane is told to search by, also one that is no longer in use', async () => {
  await room.addLane({ name: 'b', channel: 'sms', carrier: 'csl' });
  await room.addLane({ name: 'a', channel: 'whatsapp', mode: 'removed' });
  const ask = adminMessageRoutes(room)['GET /lanes'];
  const { lanes } = (await ask?.({} as never)) ?? { lanes: [] };
  expect(lanes).toEqual([
    { name: 'a', phoneName: '', channel: 'whatsapp', provider: 'test', route: '', carrierName: '' },
    { name: 'b', phoneName: '', channel: 'sms', provider: 'test', route: '', carrierName: 'csl' },
  ]);
});

it('a route is a named list of lanes with a policy, and the filter for a provider finds it', async () => {
  await sql`update lanes set route = 'marketing' where name = 'b'`.execute(room.db);
  const routes = adminLaneRoutes({ db: room.db } as never);
  const find = () => findLaneIds(room.db, { provider: 'marketing', phone: undefined, method: undefined });
  expect(await find()).toHaveLength(1);
  const list = async () => ((await routes['GET /admin/routes']?.({} as never)) ?? { routes: [] }).routes;
  expect(await list()).toEqual([{ name: 'marketing', policy: 'cheapest', lanes: ['b'] }]);
  await routes['PUT /admin/routes']?.({
    body: { name: 'marketing', policy: 'spread' },
    changed: () => {},
  } as never);
  expect(await list()).toEqual([{ name: 'marketing', policy: 'spread', lanes: ['b'] }]);
  expect((await readLanes(room.db)).find(({ name }) => name === 'b')?.policy).toBe('spread');
});

it("a reason that we know is told in the reader's language, a carrier's own stays as it is", () => {
  const known = { errorCode: 'SIM_FAILED', reason: '' };
  expect(outcomeReason(known, 'zh_HK')).toMatch(/\p{Script=Han}/u);
  expect(outcomeReason(known, 'en_US')).not.toBe(outcomeReason(known, 'zh_HK'));
  expect(outcomeReason({ errorCode: '0x45', reason: 'Absent subscriber' }, 'zh_HK')).toBe(
    'Absent subscriber',
  );
});
