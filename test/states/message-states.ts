import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountId } from '../../contract/customer/accounts.ts';
import { LANE_MODES } from '../../contract/traffic/lanes.ts';
import { WAITING_REASONS } from '../../contract/traffic/message-details.ts';
import { MESSAGE_STATUSES } from '../../contract/traffic/message-values.ts';
import type { MessageId } from '../../contract/traffic/messages.ts';
import { suspend } from '../../server/customer/wallet/index.ts';
import { CAREFUL } from '../../server/fleet/devices/index.ts';
import type { Lane, SendOutcome } from '../../server/traffic/lanes/index.ts';
import {
  type Claimed,
  markUnknown,
  noSubscribers,
  openRecorder,
  putBack,
  resultOf,
} from '../../server/traffic/outbox/index.ts';
import { claimMessages, reconcile } from '../../server/traffic/outbox/testing/index.ts';
import { PRICE_MICROS, refusal, scriptedCarrier } from '../delivery.ts';
import { makeStillDevice } from '../devices.ts';
import { type MessageState, OTHER_STATES } from './message-table.ts';
import type { Scene } from './scene.ts';

export interface Made {
  accountId: AccountId;
  id: MessageId;
  lane: Lane;
  price: bigint;
}
type Maker = () => Promise<Made>;
const DEVICE_NUMBER = '+8526100';

/** All states, by the lists of which they are made. */
export const MESSAGE_STATES: MessageState[] = [
  ...WAITING_REASONS.map((why) => `waits: ${why}` as const),
  ...LANE_MODES.filter((mode) => mode !== 'on').map((mode) => `waits in a lane that is ${mode}` as const),
  ...MESSAGE_STATUSES.filter((status) => status !== 'PENDING').map((status) => `ended: ${status}` as const),
  ...OTHER_STATES,
];

/** How a message gets into each state, by what the program itself does wherever it does it. */
export const openMessageStates = async (scene: Scene): Promise<Record<MessageState, Maker>> => {
  const { db } = scene;
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const recorder = openRecorder({ db, log, publisher: noSubscribers, timing: { gatherMs: 1 } });
  /** Messages that are transferred go to this one. */
  await scene.addLane(() => scriptedCarrier().carrier);
  const shared = await scene.addLane(() => scriptedCarrier().carrier);
  for (const _ of [1, 2]) await scene.addLane(() => scriptedCarrier().carrier, { simulated: true });
  let numbers = 1_000;

  const newLane = () => scene.addLane(() => scriptedCarrier().carrier);
  const accept = async (lane: Lane, from?: string): Promise<Made> => {
    const accountId = await scene.funded(10);
    const [id] = await scene.accept({ accountId, lane, priority: 1, ...(from && { from }) });
    return { accountId, id: id as MessageId, lane, price: PRICE_MICROS };
  };
  const waiting: Maker = () => accept(shared);
  /** Its lane is another one each time: what one test leaves claimed is nobody else's. */
  const claimed = async (): Promise<Made & { one: Claimed; holder: string }> => {
    const made = await accept(await newLane());
    const holder = randomUUID();
    await scene.takeLane(made.lane.id, holder);
    const [one] = (await claimMessages(db, { laneId: made.lane.id, holder, limit: 1 })).claimed;
    return { ...made, holder, one: one as Claimed };
  };
  const answered = async (outcome: SendOutcome): Promise<Made> => {
    const made = await claimed();
    await recorder.of({ id: made.lane.id, name: made.lane.name, channel: 'sms' }).add({
      kind: 'result',
      result: resultOf(made.one, outcome),
    });
    return made;
  };
  const reported = async (state: 'delivered' | 'read' | 'failed', unproven?: true): Promise<Made> => {
    const providerMessageId = randomUUID();
    const made = await answered({ outcome: 'accepted', providerMessageId });
    await recorder.of({ id: made.lane.id, name: made.lane.name, channel: 'sms' }).add({
      kind: 'receipt',
      receipt: {
        providerMessageId,
        state,
        at: new Date(),
        code: '',
        ...(unproven && { unproven, messageId: made.id }),
      },
    });
    return made;
  };
  const inDoubt: Maker = async () => {
    const made = await claimed();
    await markUnknown(db, [{ laneId: made.lane.id, holder: randomUUID() }]);
    return made;
  };
  const later = async (span: string): Promise<Made> => {
    const made = await waiting();
    const at = sql`now() + ${span}::interval`;
    await sql`with moved as (
        update messages set lane_id = null, scheduled_at = ${at} where id = ${made.id} returning scheduled_at
      ) update outbox_chunks set lane_id = 0, due = moved.scheduled_at from moved where ${made.id} = any(ids)`.execute(
      db,
    );
    return made;
  };
  const inLane = async (change: string): Promise<Made> => {
    const lane = await newLane();
    const made = await accept(lane);
    await sql`update lanes set ${sql.raw(change)} where id = ${lane.id}`.execute(db);
    return made;
  };
  const inDevice = async (
    change: string,
    { policy = CAREFUL, code }: { policy?: typeof CAREFUL; code?: string } = {},
  ): Promise<Made> => {
    scene.deviceDeps.policy = { ...policy, quietFrom: 0, quietTo: 0, ...policyHours(policy) };
    const owner = await scene.funded(10);
    numbers += 1;
    const deviceId = await makeStillDevice(db, {
      accountId: owner,
      simulated: false,
      phoneNumber: DEVICE_NUMBER + numbers,
    });
    const { rows } = await sql<Lane>`select * from lanes where name = ${deviceId}`.execute(db);
    const lane = rows[0] as Lane;
    const [id] = await scene.accept({ accountId: owner, lane, priority: 1, from: deviceId });
    if (change !== '')
      await sql`update devices set ${sql.raw(change)} where device_id = ${deviceId}`.execute(db);
    if (code)
      await sql`with off as (
          update messages set not_before = now() + interval '1 hour',
            tries = jsonb_build_array(jsonb_build_object('at', now(), 'lane', ${lane.id}::int, 'code', ${code}::text,
              'reason', '', 'attempt', 1, 'excused', true)) where id = ${id} returning not_before
        ) update outbox_chunks set due = off.not_before from off where ${id} = any(ids)`.execute(db);
    return { accountId: owner, id: id as MessageId, lane, price: PRICE_MICROS };
  };
  const policyHours = ({ quietFrom, quietTo }: typeof CAREFUL) =>
    quietFrom === CAREFUL.quietFrom ? {} : { quietFrom, quietTo };
  const hour = Number(
    new Date().toLocaleString('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Asia/Hong_Kong' }),
  );
  const stopped = async (): Promise<Made> => {
    const made = await inDevice("wanted = 'STOPPED'");
    await sql`update lanes set leased_by = null, worker_id = null, up = false where id = ${made.lane.id}`.execute(
      db,
    );
    return made;
  };
  const down = async (made: Made): Promise<Made> => {
    await sql`update lanes set up = false, down_since = now() where id = ${made.lane.id}`.execute(db);
    return made;
  };

  return {
    'waits: SCHEDULED': () => later('1 hour'),
    'waits: QUEUED': waiting,
    'waits: IN_HAND': claimed,
    'waits: PUT_OFF': () => answered(refusal(true)),
    'waits: LANE_DOWN': async () => down(await accept(await newLane())),
    'waits: UNKNOWN': inDoubt,
    'waits: DEVICE_STOPPED': stopped,
    'waits: DEVICE_PENDING': async () => down(await inDevice('')),
    'waits: DEVICE_WARM_UP': () => inDevice('', { policy: { ...CAREFUL, sentByDay: [0, 5] } }),
    'waits: DEVICE_DAY': () => inDevice('', { policy: { ...CAREFUL, sentByDay: [0] } }),
    'waits: DEVICE_NEW_CONTACTS': () => inDevice('', { code: 'DEVICE_NEW_CONTACTS' }),
    'waits: DEVICE_QUIET_HOURS': () =>
      inDevice('', { policy: { ...CAREFUL, quietFrom: hour, quietTo: (hour + 2) % 24 } }),
    'waits: DEVICE_WARNED': () => inDevice("warned_until = now() + interval '1 hour'"),
    'waits in a lane that is paused': () => inLane("mode = 'paused'"),
    'waits in a lane that is draining': () => inLane("mode = 'draining'"),
    'waits in a lane that is removed': () => inLane("mode = 'removed'"),
    'waits for its release: its time has come': () => later('-1 minute'),
    'held: its account is suspended': async () => {
      const made = await waiting();
      await suspend({ db, queue: { send: async () => {} } }, { accountId: made.accountId, reason: 'spam' });
      await sql`update outbox_chunks set due = 'infinity' where ${made.id} = any(ids)`.execute(db);
      return made;
    },
    'given back by a worker': async () => {
      const made = await claimed();
      await putBack(db, made.holder, [made.one]);
      return made;
    },
    'at an agent': async () => {
      const made = await claimed();
      const agentId = randomUUID();
      await sql`insert into agents (id, name, secret_hash, version) values (${agentId}::uuid, ${agentId}, ${Buffer.from(agentId)}, '1')`.execute(
        db,
      );
      await sql`insert into agent_handovers (message_id, attempt, agent_id, modem, recipient, text, until, given_at)
        values (${made.id}, 1, ${agentId}::uuid, 'm', '+85261112222', 'hello', now() + interval '1 minute', now())`.execute(
        db,
      );
      return made;
    },
    'waits, sent with the test secret': async () => {
      const accountId = await scene.funded(10);
      const body = { phone: '+85261112222', message: 'hello' };
      const given = { accountId, test: true, params: { channel: 'sms' } };
      const { _id } = await scene.call('POST /:channel/send', { ...given, body });
      return { accountId, id: _id as unknown as MessageId, lane: shared, price: 0n };
    },
    'accepted and delivered': () => reported('delivered'),
    'accepted and read': () => reported('read'),
    'failed by an unproven bounce': () => reported('failed', true),
    'ended: SUCCESS': () => answered({ outcome: 'accepted', providerMessageId: randomUUID() }),
    'ended: FAILED': () => answered(refusal(false)),
    'ended: FAILED_WITH_EXCEPTION': async () => {
      const made = await inDoubt();
      await reconcile(db, { unknownMs: 0 });
      return made;
    },
    'ended: CANCELLED': async () => {
      const made = await waiting();
      await scene.call('POST /messages/:messageId/cancel', {
        accountId: made.accountId,
        params: { messageId: made.id },
      });
      return made;
    },
    incoming: async () => {
      const made = await waiting();
      const id = randomUUID() as MessageId;
      await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, sender,
          message, sent_at, created_at, updated_at)
        values (${id}, ${made.accountId}, ${made.lane.id}, 'sms', 'incoming', 'SUCCESS', '+85261112222',
          '+85261112222', '+85261113333', 'hello', now(), now(), now())`.execute(db);
      return { ...made, id };
    },
  };
};
