import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AccountId } from '../contract/customer/accounts.ts';
import type { DeviceId } from '../contract/fleet/devices.ts';
import { readWallet } from '../server/customer/wallet/index.ts';
import { compareBalances } from '../server/customer/wallet/testing/index.ts';
import { sweepDeleted } from '../server/fleet/devices/index.ts';
import { DomainError } from '../server/ground/domain-error.ts';
import { findMiscounted } from '../test/miscounted.ts';
import type { Definition } from './definition.ts';
import { type DevicesScene, endWorker, openDevicesScene } from './devices-scene.ts';

interface Size {
  accounts: number;
  devices: number;
  messages: number;
  kills: number;
  leaseMs: number;
}

const DOLLARS = 5_000;
const SETTLE_MS = 240_000;
/** Of ten devices. Each account has some that go on, and some that end after a few messages. */
const NAMES = ['drops', 'drops', 'banned', 'logout', 'lost', '', '', '', '', ''];

interface Owned {
  accountId: AccountId;
  deviceId: DeviceId;
}

const any = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;

/** A device that is just not in the state for it refuses, as it has to. */
const mayRefuse = async (asked: Promise<unknown> | unknown): Promise<boolean> => {
  try {
    await asked;
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return false;
  }
};

/** What owners do to their devices while these send. */
const openOwners = (scene: DevicesScene, accounts: AccountId[]) => {
  const { counter, call, list, create } = scene;
  const done = { created: 0, started: 0, stopped: 0, deleted: 0, moved: 0, cancelled: 0 };
  const make = async (accountId: AccountId, name: string): Promise<void> => {
    if (await mayRefuse(create(accountId, `${name} ${done.created}`))) done.created += 1;
  };
  const start = async ({ accountId, deviceId }: Owned): Promise<void> => {
    counter.forbidden.delete(deviceId);
    if (await mayRefuse(call(accountId, 'POST /devices/:deviceId/start', { params: { deviceId } })))
      done.started += 1;
  };
  const stop = async ({ accountId, deviceId }: Owned): Promise<void> => {
    if (!(await mayRefuse(call(accountId, 'POST /devices/:deviceId/stop', { params: { deviceId } })))) return;
    done.stopped += 1;
    for (;;) {
      const device = (await list(accountId)).find((one) => one.deviceId === deviceId);
      if (device?.status === 'STOPPED') break;
      await sleep(50);
    }
    // From the moment on at which its owner is told so.
    counter.forbidden.add(deviceId);
  };
  const remove = async ({ accountId, deviceId }: Owned): Promise<void> => {
    const others = (await list(accountId)).filter(
      (one) => one.deviceId !== deviceId && one.reason !== 'BANNED',
    );
    const to = others[0]?.deviceId;
    const query = to && randomInt(2) === 0 ? { waiting: 'move', to } : { waiting: 'cancel' };
    await mayRefuse(
      (async () => {
        const settled = await call(accountId, 'DELETE /devices/:deviceId', { params: { deviceId }, query });
        done.deleted += 1;
        done.moved += settled.moved;
        done.cancelled += settled.cancelled;
      })(),
    );
  };
  const devicesOf = async (accountId: AccountId): Promise<Owned[]> =>
    (await list(accountId)).map(({ deviceId }) => ({ accountId, deviceId }));
  const disturb = async (): Promise<void> => {
    const accountId = any(accounts);
    const devices = await devicesOf(accountId);
    if (devices.length < 2) return make(accountId, '');
    const device = any(devices);
    const banned = (await list(accountId)).find(({ reason }) => reason === 'BANNED');
    const dice = randomInt(10);
    if (banned && dice < 3) await remove({ accountId, deviceId: banned.deviceId });
    else if (dice < 4) await stop(device);
    else if (dice < 8) await start(device);
    else if (dice < 9) await remove(device);
    else await make(accountId, any(NAMES));
  };
  /** All that can run does; what can't is deleted with its messages. */
  const settle = async (): Promise<void> => {
    for (const accountId of accounts)
      for (const device of await list(accountId)) {
        const owned = { accountId, deviceId: device.deviceId };
        if (device.reason === 'BANNED') await remove(owned);
        else if (device.status === 'STOPPED') await start(owned);
      }
  };
  return { done, make, disturb, settle };
};

/** Sends as long as some device runs; returns how many were accepted. */
const sendAll = async (scene: DevicesScene, accounts: AccountId[], messages: number): Promise<number> => {
  let accepted = 0;
  let at = 0;
  const client = async (accountId: AccountId, share: number): Promise<void> => {
    for (let left = share; left > 0; ) {
      const running = (await scene.list(accountId)).filter(({ canSend }) => canSend);
      if (running.length === 0) {
        await sleep(100);
        continue;
      }
      const portion = Math.min(left, 20);
      const sent = await Promise.all(
        Array.from({ length: portion }, () => {
          at += 1;
          const recipient = `+8526${String(1_100_000 + (at % 800) * 11 + 1_000).padStart(7, '0')}`;
          return mayRefuse(scene.send(accountId, any(running).deviceId, recipient));
        }),
      );
      const count = sent.filter(Boolean).length;
      accepted += count;
      left -= count;
    }
  };
  await Promise.all(accounts.map((accountId) => client(accountId, Math.ceil(messages / accounts.length))));
  return accepted;
};

interface Outcome {
  id: string;
  accountId: AccountId;
  status: string;
  unknown: boolean;
  priceMicros: bigint;
}

const readOutcomes = async ({ db }: DevicesScene): Promise<Outcome[]> => {
  const { rows } = await sql<Outcome>`
    select id, account_id as "accountId", status, unknown_since is not null as unknown, price_micros as "priceMicros"
    from messages where type = 'outgoing'`.execute(db);
  return rows;
};

const isWaiting = ({ status, unknown }: Outcome): boolean => status === 'PENDING' && !unknown;

/** By how much balances differ from what was given, less what was not refunded; in micro-dollars, of all accounts. */
const misspent = async (
  { db }: DevicesScene,
  accounts: AccountId[],
  outcomes: Outcome[],
): Promise<number> => {
  let differing = 0;
  for (const accountId of accounts) {
    const kept = outcomes.filter(
      (one) => one.accountId === accountId && !['FAILED', 'CANCELLED'].includes(one.status),
    );
    const spent = kept.reduce((sum, { priceMicros }) => sum + priceMicros, 0n);
    const { balanceMicros } = await readWallet(db, accountId);
    differing += Math.abs(Number(balanceMicros) - (DOLLARS * 1_000_000 - Number(spent)));
  }
  return differing;
};

const prove = async ({ accounts: accountCount, devices, messages, kills, leaseMs }: Size) => {
  const scene = await openDevicesScene(leaseMs);
  const workers: ChildProcess[] = [];
  const began = performance.now();
  try {
    const accounts = (await scene.customers(accountCount, DOLLARS)).map(({ accountId }) => accountId);
    const owners = openOwners(scene, accounts);
    for (let at = 0; at < devices; at += 1) {
      const name = NAMES[(at + 3 * Math.floor(at / accounts.length)) % NAMES.length] ?? '';
      await owners.make(accounts[at % accounts.length] as AccountId, name);
    }
    const names = ['first', 'second', 'third'];
    workers.push(...(await Promise.all(names.map(scene.startWorker))));
    let over = false;
    let killed = 0;
    const sending = sendAll(scene, accounts, messages).finally(() => {
      over = true;
    });
    const disturbing = (async () => {
      let nextKill = Date.now() + 1_500;
      while (!over || killed < kills) {
        await owners.disturb();
        await sweepDeleted(scene.db);
        await sleep(50);
        if (Date.now() < nextKill || killed >= kills) continue;
        const at = randomInt(workers.length);
        await endWorker(workers[at] as ChildProcess, 'SIGKILL');
        workers[at] = await scene.startWorker(names[at] as string);
        killed += 1;
        nextKill = Date.now() + 2_500;
      }
    })();
    const [accepted] = await Promise.all([sending, disturbing]);
    const deadline = Date.now() + SETTLE_MS;
    let outcomes = await readOutcomes(scene);
    while (outcomes.some(isWaiting) && Date.now() < deadline) {
      await owners.settle();
      await sweepDeleted(scene.db);
      await sleep(250);
      outcomes = await readOutcomes(scene);
    }
    await Promise.all(workers.map((child) => endWorker(child, 'SIGTERM')));
    outcomes = await readOutcomes(scene);
    const times = ({ id }: Outcome): number => scene.counter.counts.get(id) ?? 0;
    const count = (passes: (one: Outcome) => boolean): number => outcomes.filter(passes).length;
    return {
      done: { ...owners.done, killed, seconds: Math.round((performance.now() - began) / 1_000) },
      figures: {
        accepted,
        sent: count(({ status }) => status === 'SUCCESS'),
        cancelled: count(({ status }) => status === 'CANCELLED'),
        inDoubt: count(({ unknown, status }) => unknown && status !== 'SUCCESS'),
        missing: Math.abs(accepted - outcomes.length),
        stuck: count(isWaiting),
        twice: count((one) => times(one) > 1),
        lost: count((one) => one.status === 'SUCCESS' && times(one) !== 1),
        sentAndRefunded: count((one) => ['CANCELLED', 'FAILED'].includes(one.status) && times(one) > 0),
        misspentMicros: await misspent(scene, accounts, outcomes),
        ledgerDifferences: (await compareBalances(scene.db)).differing.length,
        afterStop: scene.counter.trespasses(),
        overlaps: scene.counter.overlaps(),
        miscounted: (await findMiscounted(scene.db)).length,
      },
    };
  } finally {
    await Promise.all(workers.map((child) => endWorker(child, 'SIGKILL')));
    await scene.close();
  }
};

const NONE = [
  'missing',
  'stuck',
  'twice',
  'lost',
  'sentAndRefunded',
  'misspentMicros',
  'ledgerDifferences',
  'afterStop',
  'overlaps',
  'miscounted',
];

const definition: Definition = {
  title: 'Devices that drop, are banned, stopped and deleted while they send, on workers that are killed',
  run: async ({ quick, size = 1 }) => {
    const { done, figures } = await prove(
      quick
        ? // A lease that a slow machine renews too late lets two workers have a device at the same time.
          { accounts: 3, devices: 6, messages: 300, kills: 1, leaseMs: 8_000 }
        : {
            accounts: 20,
            devices: 50,
            messages: 20_000 * size,
            kills: Math.ceil(12 * size),
            leaseMs: 2_000,
          },
    );
    return {
      rows: [
        ...Object.entries(done).map(([what, count]) => ({ what, count })),
        ...Object.entries(figures).map(([what, count]) => ({ what, count })),
      ],
      figures,
      bars: [{ figure: 'sent', min: 1 }, ...NONE.map((figure) => ({ figure, max: 0 }))],
    };
  },
};
export default definition;
