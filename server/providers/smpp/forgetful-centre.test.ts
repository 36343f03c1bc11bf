import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDelivery, type TestDelivery } from '../../../test/delivery.ts';
import { type Smsc, startSmsc } from '../../../test/emulators/smsc/smsc.ts';
import { smppCarrier, smppOptions } from './index.ts';

const WINDOW = 50;
const MESSAGES = 1_600;
const PARTS = 3;
/** Of long and short ones; enough still wait then. */
const MEASURED = 1_000;

let room: TestDelivery;
let smsc: Smsc;
beforeAll(async () => {
  room = await openTestDelivery();
  smsc = await startSmsc({ behaviour: { latencyMs: 20, throttled: 0.1, forgotten: 0.2 } });
});
afterAll(async () => {
  await room.close();
  await smsc.close();
});

it('a centre that throttles one in ten and forgets two in ten is kept busy, and gets nothing twice', async () => {
  const options = { ...smppOptions(smsc.url({ binds: 1, window: WINDOW })), timeoutMs: 20_000 };
  const lane = await room.addLane(() => smppCarrier(options));
  const delivery = room.work([lane], { answerMs: 90_000, gatherMs: 50, pollMs: 1_000, drainMs: 0 });
  const accountId = await room.funded(1_000);
  const accept = (long: boolean) =>
    room.accept({
      accountId,
      lane,
      count: MESSAGES / 2,
      segments: long ? PARTS : 1,
      text: long ? 'long '.repeat(90) : 'short',
      recipient: (at) => `+8526${long ? 1 : 2}${String(at).padStart(3, '0')}000`,
    });
  await Promise.all([accept(true), accept(false)]);
  await expect.poll(() => smsc.counts().submits, { timeout: 30_000 }).toBeGreaterThan(0);
  const before = { ...smsc.counts(), at: performance.now() };
  await expect
    .poll(() => smsc.counts().accepted - before.accepted, { timeout: 60_000, interval: 10 })
    .toBeGreaterThan(MEASURED);
  const after = { ...smsc.counts(), at: performance.now() };
  const { rows } = await sql`select from outbox_chunks`.execute(room.db);
  const ms = after.at - before.at;
  const accepted = after.accepted - before.accepted;
  const busy = (after.busyMs - before.busyMs) / ms;
  const rate = `${Math.round((accepted * 1_000) / ms)} parts a second`;
  process.stdout.write(`${rate}, the centre at work for ${Math.round(busy * 100)} % of the time\n`);
  expect(rows.length).toBeGreaterThan(0);
  expect(busy).toBeGreaterThan(0.5);
  expect((after.submits - before.submits) / accepted).toBeLessThanOrEqual(1.5);
  expect(after.repeated).toBe(0);
  await delivery.stop(0);
}, 120_000);
