import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestMessages } from '../../test/messages.ts';
import { reasonOf } from '../messages/index.ts';
import { adminMessageRoutes } from './admin-routes.ts';

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
    { name: 'a', phoneName: '', channel: 'whatsapp', provider: 'test', carrierName: '' },
    { name: 'b', phoneName: '', channel: 'sms', provider: 'test', carrierName: 'csl' },
  ]);
});

it("a reason that we know is told in the reader's language, a carrier's own stays as it is", () => {
  const known = { errorCode: 'SIM_FAILED', reason: '' };
  expect(reasonOf(known, 'zh_HK')).toMatch(/\p{Script=Han}/u);
  expect(reasonOf(known, 'en_US')).not.toBe(reasonOf(known, 'zh_HK'));
  expect(reasonOf({ errorCode: '0x45', reason: 'Absent subscriber' }, 'zh_HK')).toBe('Absent subscriber');
});
