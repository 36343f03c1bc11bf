import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../../test/delivery.ts';
import { type Smsc, startSmsc } from '../../../test/emulators/smsc/smsc.ts';
import { type Lane, newWorker, type SentPart } from '../lanes/index.ts';
import { noSubscribers } from '../outbox/index.ts';
import { reconcile } from '../outbox/testing/index.ts';
import { recoverWorkers, runDelivery } from './index.ts';

const WORKER = fileURLToPath(new URL('../../../test/sending-worker.ts', import.meta.url));
const WINDOW = 20;
const COUNT = 500;
/** Nobody waits for a lease of this length to end. */
const LONG_MS = 600_000;
const WAIT = { timeout: 60_000, interval: 20 };

let room: TestDelivery;
let smsc: Smsc;
let folder: string;
let lane: Lane;
const workers = new Set<ChildProcess>();
beforeAll(async () => {
  room = await openTestDelivery();
  smsc = await startSmsc({ behaviour: { latencyMs: 20 } });
  lane = await room.addLane(() => scriptedCarrier().carrier);
  await sql`update lanes set name = 'proof' where id = ${lane.id}`.execute(room.db);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journals-'));
});
afterEach(async () => {
  for (const worker of workers) await end(worker, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await sql`delete from workers`.execute(room.db);
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(smsc.counts().repeated).toBe(0);
  await smsc.close();
  await room.close();
});

const start = async (timing: { leaseMs?: number; gatherMs?: number } = {}): Promise<ChildProcess> => {
  const options = {
    databaseUrl: room.url,
    smppUrl: smsc.url({ binds: 1, window: WINDOW }),
    leaseMs: LONG_MS,
    timing,
    journalFolder: folder,
  };
  const child = fork(WORKER, [JSON.stringify(options)]);
  workers.add(child);
  await once(child, 'message');
  return child;
};
const end = async (worker: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  workers.delete(worker);
  worker.kill(signal);
  await once(worker, 'exit');
};
let accepted = 0;
const accept = async (): Promise<MessageId[]> => {
  accepted += COUNT;
  const first = accepted;
  return room.accept({
    accountId: await room.funded(100),
    lane,
    count: COUNT,
    priority: 1,
    recipient: (at) => `+85261${String(first + at).padStart(6, '0')}`,
  });
};
const takenMore = async (count: number): Promise<void> => {
  const before = smsc.counts().messages;
  await vi.waitFor(() => expect(smsc.counts().messages).toBeGreaterThan(before + count), WAIT);
};
const claimed = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(cardinality(ids)), 0)::int as count from claims`.execute(room.db);
  return rows[0]?.count ?? 0;
};
/** The database has done what a worker asked for that was stopped in the middle: a claim, for instance. */
const isQuiet = () =>
  vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database()
      and state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(room.db);
    expect(rows).toEqual([]);
  }, WAIT);
const settled = async (ids: MessageId[]) =>
  vi.waitFor(async () => {
    const rows = await room.read(ids);
    expect(rows.filter(({ status, unknownSince }) => status === 'PENDING' && !unknownSince)).toEqual([]);
    return {
      sent: rows.filter(({ status }) => status === 'SUCCESS'),
      unknown: rows.filter((row) => row.unknownSince),
    };
  }, WAIT);

it('a kill in the middle of long messages leaves them in doubt with the parts that are known, and receipts settle them', async () => {
  const ids = await room.accept({
    accountId: await room.funded(100),
    lane,
    count: 60,
    priority: 1,
    segments: 3,
    text: 'long '.repeat(90),
    recipient: (at) => `+852670000${String(at).padStart(2, '0')}`,
  });
  const { latencyMs } = smsc.behaviour;
  smsc.behaviour.latencyMs = 150;
  const before = smsc.counts().submits;
  const worker = await start();
  await vi.waitFor(() => expect(smsc.counts().submits).toBeGreaterThan(before + 3 * WINDOW), WAIT);
  await end(worker, 'SIGKILL');
  smsc.behaviour.latencyMs = latencyMs;
  await start();
  const { sent, unknown } = await settled(ids);
  // The window is one of parts. Some of a message may be certain not to have gone out: it has failed.
  expect(unknown.length).toBeGreaterThan(0);
  expect(ids.length - sent.length).toBeLessThanOrEqual(WINDOW);
  // What the kill cut off in the connection the centre never took; a part is noted before it goes out.
  const takenOf = (recipient: string): number =>
    smsc.submits.filter(({ destination }) => destination.digits === recipient.slice(1)).length;
  const { rows } = await sql<{ recipient: string; parts: SentPart[] | null }>`
    select recipient, parts from messages where id = any(${unknown.map(({ id }) => id)}::uuid[])`.execute(
    room.db,
  );
  for (const { recipient, parts } of rows) {
    if (!parts) expect(takenOf(recipient)).toBe(0);
    else expect(parts).toEqual(expect.arrayContaining([expect.objectContaining({ state: 'unknown' })]));
    expect(parts?.length ?? 3).toBe(3);
  }
  await smsc.reportAll('DELIVRD');
  await vi.waitFor(async () => {
    await reconcile(room.db, { settledMs: 0, unknownMs: LONG_MS });
    const { rows: sentOnes } = await sql<{ recipient: string; delivered: boolean }>`
      select recipient, delivered_at is not null as delivered from messages
      where id = any(${ids}::uuid[]) and status <> 'FAILED'`.execute(room.db);
    const whole = (recipient: string) => takenOf(recipient) === 3;
    expect(sentOnes.filter(({ recipient, delivered }) => delivered !== whole(recipient))).toEqual([]);
  }, WAIT);
  expect(await room.differing()).toEqual([]);
}, 180_000);

it('what a centre throttled and a worker was to try again when it was killed is not in doubt, and goes out', async () => {
  const ids = await accept();
  const worker = await start();
  await takenMore(100);
  smsc.behaviour.throttled = 1;
  // All in its window are between two tries by then; it gives none up within a second of the last that was taken.
  await sleep(400);
  await end(worker, 'SIGKILL');
  smsc.behaviour.throttled = 0;
  await start();
  const { sent, unknown } = await settled(ids);
  expect(unknown.length).toBeLessThanOrEqual(WINDOW / 4);
  expect(sent.length).toBe(COUNT - unknown.length);
}, 180_000);

it('after a kill at most the window is unknown, answers that were not stored are, and the lane is served at once', async () => {
  const ids = await accept();
  // Its results are not stored before it is killed.
  const worker = await start({ gatherMs: LONG_MS });
  await takenMore(200);
  await end(worker, 'SIGKILL');
  expect(await room.countByStatus(ids)).toEqual({ PENDING: COUNT });
  expect(await claimed()).toBeGreaterThan(200);
  await start();
  const { sent, unknown } = await settled(ids);
  expect(unknown.length).toBeLessThanOrEqual(WINDOW);
  expect(sent.length).toBe(COUNT - unknown.length);
  expect(sent.every(({ providerMessageId, sentAt }) => providerMessageId && sentAt)).toBe(true);
}, 180_000);

it('another worker of the machine takes over from a killed one', async () => {
  const one = await start({ gatherMs: LONG_MS });
  // It looks for dead ones as often as it extends its lease.
  await start({ leaseMs: 3_000 });
  const ids = await accept();
  await takenMore(100);
  await end(one, 'SIGKILL');
  const { unknown } = await settled(ids);
  expect(unknown.length).toBeLessThanOrEqual(WINDOW);
}, 180_000);

it('a worker that is only silent keeps its lane', async () => {
  const ids = await accept();
  const worker = await start({ gatherMs: LONG_MS });
  await takenMore(100);
  worker.kill('SIGSTOP');
  await isQuiet();
  const before = await claimed();
  await recoverWorkers({ ...room, publisher: noSubscribers, log: console }, folder);
  expect(await claimed()).toBe(before);
  const { rows } = await sql`select from lanes l join workers w on w.id = l.worker_id
    where l.id = ${lane.id} and w.leased_until > clock_timestamp()`.execute(room.db);
  expect(rows).toHaveLength(1);
  await end(worker, 'SIGKILL');
  await start();
  await settled(ids);
}, 180_000);

it('without a journal of this boot all claims are unknown, as soon as the lease ended', async () => {
  const ids = await accept();
  const worker = await start({ gatherMs: LONG_MS, leaseMs: 1_500 });
  await takenMore(100);
  await end(worker, 'SIGKILL');
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.journal'));
  const [header = '', ...lines] = readFileSync(join(folder, name), 'utf8').split('\n');
  const other = { ...JSON.parse(header), bootId: 'another' };
  writeFileSync(join(folder, name), [JSON.stringify(other), ...lines].join('\n'));
  await isQuiet();
  const left = await claimed();
  await start({ leaseMs: 1_500 });
  const { unknown } = await settled(ids);
  expect(unknown).toHaveLength(left);
}, 180_000);

it.runIf(process.platform === 'linux')(
  'with a full disk work goes on, and the database knows that the journal is not complete',
  async () => {
    const { carrier, sent } = scriptedCarrier();
    const own = await room.addLane(() => carrier);
    const worker = newWorker(randomUUID());
    symlinkSync('/dev/full', join(folder, `${worker.id.slice(0, 8)}.journal.next`));
    const warnings: string[] = [];
    const log = {
      info: () => {},
      warn: (_: object, text: string) => void warnings.push(text),
      error: () => {},
    };
    const journals = { folder, maxBytes: 400 };
    const delivery = runDelivery({
      ...room,
      log,
      worker,
      lanes: [own],
      timing: { leaseMs: 5_000 },
      journals,
    });
    const isJournaled = async () => {
      const { rows } = await sql<{ journaled: boolean }>`
      select journaled from workers where id = ${worker.id}`.execute(room.db);
      return rows[0]?.journaled;
    };
    await vi.waitFor(async () => expect(await isJournaled()).toBe(true), WAIT);
    const ids = await room.accept({ accountId: await room.funded(10), lane: own, count: 60 });
    await room.become(ids, 'SUCCESS', 20_000);
    expect(sent).toHaveLength(60);
    expect(await isJournaled()).toBe(false);
    expect(warnings.filter((text) => text.startsWith('the journal cannot be written'))).toHaveLength(1);
    await delivery.stop(1_000);
  },
);
