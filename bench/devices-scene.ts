import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallName, Reply } from '../contract/calls.ts';
import type { AccountId } from '../contract/customer/accounts.ts';
import type { Device, DeviceId } from '../contract/fleet/devices.ts';
import { SIMULATED_RECIPIENTS } from '../contract/traffic/simulator.ts';
import { accountsHaving, findOptedOut } from '../server/customer/opt-outs/index.ts';
import { CAREFUL, type DevicesDeps, deviceRoutes, openOwnDevices } from '../server/fleet/devices/index.ts';
import { deviceSimulator } from '../server/providers/simulator/index.ts';
import { wakeLanes } from '../server/traffic/lanes/index.ts';
import { openSending } from '../server/traffic/sending/index.ts';
import type { DevicesWorkerOptions } from './devices-proof-worker.ts';
import { openCounter } from './lanes/lanes-counter.ts';
import { openPosthorn } from './posthorn.ts';

const WORKER = fileURLToPath(new URL('./devices-proof-worker.ts', import.meta.url));

export const endWorker = async (child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
};

/** A database with customers, the calls of their devices, and workers that can be killed. */
export const openDevicesScene = async (leaseMs: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-devices-'));
  const posthorn = await openPosthorn(folder);
  const { db } = posthorn;
  const counter = await openCounter();
  const key = randomBytes(32);
  const devices: DevicesDeps = {
    db,
    secretKey: key,
    drivers: [deviceSimulator({ recipients: SIMULATED_RECIPIENTS })],
    laneProviders: [],
    policy: CAREFUL,
    requireRealSender: async () => {},
    emailsOf: async () => new Map(),
  };
  const routes = deviceRoutes(devices);
  const sending = await openSending({
    devices: openOwnDevices({ db }),
    db,
    queue: { send: async () => {} },
    optOuts: { find: findOptedOut, having: accountsHaving },
    wake: async (trx, laneIds) => wakeLanes(trx, laneIds),
  });
  type Input = { params?: object; query?: object; body?: object };
  /** The guard and the schemas are tested elsewhere. */
  const call = async <N extends CallName & keyof typeof routes>(
    accountId: AccountId,
    name: N,
    input: Input = {},
  ): Promise<Reply<N>> =>
    (await routes[name]?.({
      caller: { accountId, admin: false, sessionHash: Buffer.alloc(0) },
      language: 'en_US',
      query: {},
      ...input,
    } as never)) as Reply<N>;
  return {
    db,
    counter,
    customers: posthorn.customers,
    startWorker: async (name: string): Promise<ChildProcess> => {
      const options: DevicesWorkerOptions = {
        databaseUrl: posthorn.databaseUrl,
        name,
        key: key.toString('hex'),
        leaseMs,
        port: counter.port,
        journals: join(folder, 'journals'),
      };
      const child = fork(WORKER, [JSON.stringify(options)]);
      await once(child, 'message');
      return child;
    },
    create: async (accountId: AccountId, phoneName: string): Promise<DeviceId> => {
      const body = { countryCode: 'HK', phoneName };
      return (await call(accountId, 'POST /devices/create', { body })).deviceId as DeviceId;
    },
    list: async (accountId: AccountId): Promise<Device[]> =>
      (await call(accountId, 'GET /devices')).devices as Device[],
    call,
    send: (accountId: AccountId, fromPhone: DeviceId, recipientRaw: string) =>
      sending.send({
        sender: { accountId, test: false },
        channel: 'whatsapp',
        wanted: { recipientRaw, message: 'A message by a device.', fromPhone },
        idempotencyKey: undefined,
      }),
    close: async (): Promise<void> => {
      await counter.close();
      await posthorn.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
export type DevicesScene = Awaited<ReturnType<typeof openDevicesScene>>;
