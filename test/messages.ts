import { sql } from 'kysely';
import type { AccountId } from '../contract/customer/accounts.ts';
import type { Channel } from '../contract/ground/channels.ts';
import { logIn, readSecrets } from '../server/customer/accounts/index.ts';
import { accountsHaving, findOptedOut } from '../server/customer/opt-outs/index.ts';
import { giveSender } from '../server/customer/senders/index.ts';
import { openOwnDevices } from '../server/fleet/devices/index.ts';
import { openSending, type SendingRules } from '../server/traffic/sending/index.ts';
import { openTestWallet } from './wallet.ts';

interface TestLane {
  name: string;
  channel: Channel;
  simulated?: boolean;
  mode?: 'on' | 'removed';
  preference?: number;
  up?: boolean | null;
  carrier?: string;
  route?: string;
  countries?: string[];
  dedicatedTo?: AccountId[];
  oneHour?: number;
  costMicros?: number;
  sender?: string;
}

interface MessageRow {
  id: string;
  account_id: string;
  batch_id: string;
  lane_id: number;
  lane_why: string | null;
  cost_micros: bigint;
  status: string;
  recipient_raw: string;
  recipient: string;
  country: string;
  sender: string | null;
  message: string;
  subject: string | null;
  html: string | null;
  segment: number;
  price_micros: bigint;
  test: boolean;
  priority: number;
}

/** The messages room on a real database. The test defines the lanes; `woken` lists those that got a wake signal. */
export const openTestMessages = async () => {
  const room = await openTestWallet();
  const { db } = room;
  const woken: number[][] = [];
  /** Each opening reads prices and lanes afresh. */
  const open = (rules?: SendingRules) =>
    openSending({
      devices: openOwnDevices({ db }),
      db,
      queue: room.deps.queue,
      limits: room.accounts.limits,
      optOuts: { find: findOptedOut, having: accountsHaving },
      wake: async (_, laneIds) => {
        woken.push(laneIds);
      },
      ...(rules && { rules }),
    });

  const addLane = async (lane: TestLane): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      insert into lanes (name, channel, provider, carrier, simulated, mode, preference, up, route, countries,
        dedicated_to, throttle_one_hour, cost_micros, sender)
      values (${lane.name}, ${lane.channel}, 'test', ${lane.carrier ?? ''}, ${lane.simulated ?? false},
        ${lane.mode ?? 'on'}, ${lane.preference ?? 100}, ${lane.up ?? null}, ${lane.route ?? ''},
        ${lane.countries ?? []}::text[], ${lane.dedicatedTo ?? []}::uuid[], ${lane.oneHour ?? null}, ${lane.costMicros ?? 0},
        ${lane.sender ?? ''})
      returning id`.execute(db);
    return rows[0]?.id ?? 0;
  };
  const messagesOf = async (accountId: AccountId): Promise<MessageRow[]> => {
    const { rows } = await sql<MessageRow>`
      select * from messages where account_id = ${accountId} order by created_at, id`.execute(db);
    return rows;
  };

  /** With a dollar, a session and both secrets. */
  const customer = async () => {
    const account = await room.activeAccount();
    const { accountId } = account;
    await room.addMoney(accountId, 1);
    const { token } = await logIn(room.accounts, account);
    return { accountId, token, ...(await readSecrets(room.accounts, accountId)) };
  };

  /** What an admin does. */
  const give = (accountId: AccountId, channel: Channel, sender: string) =>
    giveSender({ db, holdOpen: async () => true }, { accountId, channel, sender });

  return { ...room, woken, open, addLane, messagesOf, customer, give };
};
