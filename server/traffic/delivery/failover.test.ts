import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchId, MessageId } from '../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import { type Gateway, jsonStyle, startGateway, type Trouble } from '../../../test/emulators/sms-gateways.ts';
import type { FailoverWorkerOptions } from '../../../test/failover-worker.ts';
import { type ProviderTemplate, readTemplates } from '../../providers/http-sms/index.ts';
import { cancelBatch, reconcile } from '../outbox/testing/index.ts';

const WORKER = fileURLToPath(new URL('../../../test/failover-worker.ts', import.meta.url));
const TEMPLATE = fileURLToPath(new URL('../../../docs/http-sms/json-api.json', import.meta.url));
const COUNT = 1_500;
const NAMES = ['first', 'second', 'third'];

let room: TestDelivery;
let gateways: Gateway[];
beforeAll(async () => {
  room = await openTestDelivery();
  gateways = await Promise.all(NAMES.map(() => startGateway(jsonStyle, { latencyMs: 10 })));
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await Promise.all(gateways.map(({ close }) => close()));
  await room.close();
});

const templates = (): ProviderTemplate[] =>
  gateways.flatMap(({ url }, at) =>
    readTemplates({ path: TEMPLATE, variable: (name) => jsonStyle.env[name] }).map((template) => ({
      ...template,
      name: NAMES[at] ?? '',
      timeoutMs: 500,
      send: { ...template.send, url: `${url}/v1/messages` },
    })),
  );

const startWorker = async (): Promise<ChildProcess> => {
  const options: FailoverWorkerOptions = {
    databaseUrl: room.url,
    templates: templates(),
    leaseMs: 600,
    failoverAfterMs: 500,
  };
  const child = fork(WORKER, [JSON.stringify(options)]);
  await once(child, 'message');
  return child;
};

const numberOf = (batch: number) => (at: number) => `+8526${batch}${String(at).padStart(6, '0')}`;
/** A few of each kind, at their gateway or at all of them. */
const TROUBLES: [every: number, kind: Trouble, gateways: number[]][] = [
  [41, 'busy', [0]],
  [43, 'refused', [0, 1, 2]],
  [47, 'silence', [0, 1, 2]],
  [53, 'hang-up', [0, 1, 2]],
  [59, 'busy', [0, 1]],
];

const waiting = async (ids: MessageId[]): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages
    where id = any(${ids}::uuid[]) and status = 'PENDING' and unknown_since is null`.execute(room.db);
  return rows[0]?.count ?? 0;
};

/** Until nothing waits: lanes are stopped, kept busy and started, and the worker is killed, at random moments. */
const makeTrouble = async (ids: MessageId[]): Promise<void> => {
  let worker = await startWorker();
  for (let turn = 0; (await waiting(ids)) > 0 && turn < 600; turn += 1) {
    await sleep(randomInt(100, 400));
    // The pauses between attempts are minutes: they are cut short here.
    await sql`update outbox_chunks set due = now() where due > now() + interval '500 ms'`.execute(room.db);
    if (turn >= 12) continue;
    const gateway = gateways[turn % 2] as Gateway;
    if (turn % 4 === 0) {
      await gateway.stop();
      setTimeout(() => void gateway.start(), 1_500);
    }
    if (turn % 4 === 1) {
      gateway.setBusy(true);
      setTimeout(() => gateway.setBusy(false), 1_000);
    }
    if (turn % 4 === 2) {
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      worker = await startWorker();
    }
  }
  worker.kill('SIGTERM');
  await once(worker, 'exit');
};

it('lanes that die, stall and come back, a killed worker and a cancelled batch double nothing and refund once', async () => {
  const accountId = await room.funded(200);
  const first = await room.addLane(() => scriptedCarrier().carrier);
  await sql`update lanes set name = 'http-first' where id = ${first.id}`.execute(room.db);
  for (const [every, kind, at] of TROUBLES)
    for (let one = every; one < COUNT; one += every)
      for (const gateway of at) gateways[gateway]?.trouble(numberOf(1)(one), kind);
  const kept = await room.accept({
    accountId,
    lane: first,
    count: COUNT,
    priority: 1,
    recipient: numberOf(1),
  });
  const withdrawn = await room.accept({
    accountId,
    lane: first,
    count: COUNT,
    priority: 1,
    recipient: numberOf(2),
  });
  const { rows: batches } = await sql<{ batchId: BatchId }>`
    select batch_id as "batchId" from messages where id = ${withdrawn[0]}`.execute(room.db);
  const cancelled = sleep(1_500).then(() =>
    cancelBatch(
      { db: room.db, queue: { send: async () => {} } },
      { sender: { accountId, test: false }, batchId: batches[0]?.batchId as BatchId },
    ),
  );
  await makeTrouble([...kept, ...withdrawn]);
  await cancelled;
  await reconcile(room.db, { unknownMs: 0 });

  const { rows } = await sql<{
    recipient: string;
    status: string;
    lane: string;
    tried: string[];
  }>`
    select recipient, status, l.name as lane, array(select name from lanes where id = any(tried_lanes)) as tried
    from messages m join lanes l on l.id = m.lane_id
    where m.id = any(${[...kept, ...withdrawn]}::uuid[])`.execute(room.db);
  const taken = gateways.map((gateway) => Map.groupBy(gateway.all(), ({ to }) => to));
  const wrong = rows.filter(({ recipient, status, lane, tried }) => {
    const by = NAMES.filter((_, at) => taken[at]?.has(recipient)).map((name) => `http-${name}`);
    const times = taken.reduce((sum, of) => sum + (of.get(recipient)?.length ?? 0), 0);
    if (times > 1 || tried.includes(lane)) return true;
    // Neither what was sent nor what is unknown moved to another lane.
    if (times === 1) return !['SUCCESS', 'FAILED_WITH_EXCEPTION'].includes(status) || by[0] !== lane;
    return status === 'SUCCESS' || status === 'PENDING';
  });
  expect(wrong).toEqual([]);

  const counts = await room.countByStatus([...kept, ...withdrawn]);
  const moved = rows.filter(({ tried }) => tried.length > 0);
  // The trouble was real: some moved, some are unknown, some were refused, some cancelled.
  expect(moved.length).toBeGreaterThan(20);
  for (const status of ['SUCCESS', 'FAILED', 'FAILED_WITH_EXCEPTION', 'CANCELLED'] as const)
    expect(counts[status]).toBeGreaterThan(0);
  const paid = (counts.SUCCESS ?? 0) + (counts.FAILED_WITH_EXCEPTION ?? 0);
  expect(await room.balance(accountId)).toBe(200_000_000n - PRICE_MICROS * BigInt(paid));
  expect(await room.differing()).toEqual([]);
}, 300_000);
