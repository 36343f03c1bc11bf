import { randomBytes } from 'node:crypto';
import type { AccountId } from '../../contract/customer/accounts.ts';
import { findUnknownAccount } from '../../server/customer/accounts/index.ts';
import { accountsHaving, findOptedOut } from '../../server/customer/opt-outs/index.ts';
import { type DevicesDeps, openOwnDevices, readHold } from '../../server/fleet/devices/index.ts';
import { readPhoneHosts } from '../../server/fleet/phones/index.ts';
import { DomainError } from '../../server/ground/domain-error.ts';
import { type RoomDeps, routeTable } from '../../server/http/index.ts';
import { bulkActionTasks } from '../../server/office/bulk-actions/index.ts';
import { countWaitingIn } from '../../server/traffic/outbox/index.ts';
import { publishNothing } from '../../server/traffic/outbox/testing/index.ts';
import { openSending } from '../../server/traffic/sending/index.ts';
import { anything } from '../anything.ts';
import { openTestDelivery } from '../delivery.ts';
import { testDevicesDeps } from '../devices.ts';
import { openTestPhones } from '../phones.ts';

interface Input {
  params?: object;
  query?: object;
  body?: object;
  /** Whose message or device it is; an admin's calls are the admin's. */
  accountId?: AccountId;
  /** With the test secret. */
  test?: boolean;
}
type Reply = Record<string, never> & Record<string, unknown>;

/** The calls of the route table on a test's database, in which nobody serves a lane: every state stays as it was made. */
export const openScene = async (devices: Partial<DevicesDeps> = {}) => {
  const room = await openTestDelivery();
  const { db } = room;
  const admin = await room.funded(1_000);
  const { queue } = room.deps;
  const phones = openTestPhones(db);
  const sending = await openSending({
    devices: openOwnDevices({ db }),
    db,
    queue,
    optOuts: { find: findOptedOut, having: accountsHaving },
    wake: async () => {},
  });
  const bulk = { db, queue, publish: publishNothing };
  const deviceDeps = { ...testDevicesDeps(db, []), ...devices };
  const deps = Object.assign(Object.create(anything), {
    db,
    wallet: { processor: { name: 'none' } },
    mailbox: undefined,
    providers: { receiver: anything, webhooks: [] },
    sending,
    uploads: sending,
    messages: { db, readPhoneHosts },
    customers: { db, queue, rules: sending.rules },
    outbox: bulk,
    bulkActions: bulk,
    details: {
      db,
      readPhoneHosts,
      eventsOf: async () => [],
      holdOf: (laneId: number) => readHold(deviceDeps, laneId),
    },
    phones: phones.deps,
    agents: Object.assign(Object.create(anything), { db, phones: phones.deps }),
    devices: deviceDeps,
    lanes: {
      db,
      secretKey: randomBytes(32),
      providers: [],
      countWaiting: (ids: number[], limit: number) => countWaitingIn(db, ids, limit),
      findUnknownAccount,
    },
  }) as RoomDeps;
  type Handler = (input: object) => Promise<Reply>;
  const routes = Object.assign(
    {},
    ...routeTable(deps).map((line) => ('routes' in line ? line.routes : {})),
  ) as Record<string, Handler>;

  /** What the call answers; throws as the route does. */
  const call = async (name: string, { accountId, test = false, ...input }: Input = {}): Promise<Reply> => {
    const handler = routes[name];
    if (!handler) throw new Error(`there is no ${name}`);
    return handler({
      caller: { accountId: accountId ?? admin, admin: accountId === undefined, sessionHash: Buffer.alloc(0) },
      sender: { accountId: accountId ?? admin, test, byPage: false },
      language: 'en_US',
      query: {},
      params: {},
      body: {},
      headers: {},
      changed: () => {},
      hungUp: new AbortController().signal,
      ...input,
    });
  };
  /** The code of its refusal; undefined if it was done. */
  const refusal = async (name: string, input: Input = {}): Promise<string | undefined> => {
    try {
      await call(name, input);
      return undefined;
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  };
  const runBulk = (actionId: string): Promise<void> =>
    bulkActionTasks(bulk)['bulk-actions.run']?.run(
      { actionId },
      new AbortController().signal,
    ) as Promise<void>;
  return { ...room, admin, phones, deviceDeps, call, refusal, runBulk };
};
export type Scene = Awaited<ReturnType<typeof openScene>>;
