import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type HandOverId, MOST_HELD } from '../../../contract/fleet/agent-protocol.ts';
import type { Agent } from '../../../contract/fleet/agents.ts';
import type { PhoneId } from '../../../contract/fleet/phones.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { openTestAgents } from '../../../test/agents.ts';
import { cancelAll } from '../../../test/chunks.ts';
import { openTestDelivery } from '../../../test/delivery.ts';
import { type Lane, readPhoneLanes } from '../../traffic/lanes/index.ts';
import { listMovedPhones } from './modem-store.ts';

/** Several waits of a worker and an agent; on a busy machine they take their time. */
vi.setConfig({ testTimeout: 120_000 });
const WAIT = { timeout: 20_000, interval: 20 };
let room: Awaited<ReturnType<typeof openTestDelivery>>;
let agents: ReturnType<typeof openTestAgents>;
let board: ReturnType<(typeof agents)['openBoard']>;
beforeAll(async () => {
  room = await openTestDelivery();
  agents = openTestAgents(room);
  board = agents.openBoard();
});
afterAll(async () => {
  await room.close();
  await agents.close();
});

const newKey = async (): Promise<string> =>
  ((await agents.call('POST /admin/agentKeys')) as { key: string }).key;
const listed = async (agentId: string): Promise<Agent | undefined> =>
  ((await agents.call('GET /admin/agents')) as { agents: Agent[] }).agents.find(({ _id }) => _id === agentId);
const phoneOf = async (imsi: string) => {
  const { rows } = await sql<{
    id: PhoneId;
    name: string;
    heard: boolean;
    balance: string | null;
    validUntil: string | null;
  }>`select id, name, last_heartbeat_at is not null as heard, balance_micros::text as balance,
      valid_until::text as "validUntil" from phones where imsi = ${imsi}`.execute(room.db);
  return rows[0];
};
const laneOf = async (phoneId: PhoneId): Promise<Lane> => {
  const { rows } = await sql<Lane>`
    select id, name, up from lanes where phone_id = ${phoneId} and method = 'sim-modem'`.execute(room.db);
  return rows[0] as Lane;
};
const isUp = async ({ id }: Lane) => {
  const { rows } = await sql<{ up: boolean | null }>`select up from lanes where id = ${id}`.execute(room.db);
  return rows[0]?.up;
};

let sims = 0;
/** An agent with one modem whose phone sends. */
const join = async () => {
  sims += 1;
  const identity = agents.newIdentity();
  const modem = {
    name: 'm1',
    driver: 'serial' as const,
    imsi: `45400000000${String(sims).padStart(4, '0')}`,
  };
  const hello = { ...identity, name: `pi${sims}`, modems: [modem] };
  const agent = agents.connect(board, { ...hello, key: await newKey() });
  await agent.has('welcome');
  agent.beat([modem]);
  await vi.waitFor(async () => expect((await phoneOf(modem.imsi))?.heard).toBe(true), WAIT);
  const phoneId = (await phoneOf(modem.imsi))?.id as PhoneId;
  await agents.switchOn(phoneId);
  return { agent, hello, modem, phoneId, lane: await laneOf(phoneId) };
};
const TIMING = { leaseMs: 10_000, answerMs: 30_000, openMs: 20_000, failoverAfterMs: 3_600_000 };
const work = (timing = {}) => room.work([], { ...TIMING, ...timing }, { openCarrier: agents.openCarrier });
/** One message, as the agent is asked for it. */
const sendOne = async ({ agent, lane }: Awaited<ReturnType<typeof join>>) => {
  const accountId = await room.funded(10);
  const [id] = await room.accept({ accountId, lane });
  await vi.waitFor(() => expect(agent.sends().some((send) => send.id.startsWith(`${id}`))).toBe(true), WAIT);
  const send = agent.sends().find((one) => one.id.startsWith(`${id}`));
  return { id: id as MessageId, send: send as NonNullable<typeof send> };
};

it('a key lets one agent in, once; later its secret does, and nothing after it was removed', async () => {
  const key = await newKey();
  const identity = agents.newIdentity();
  const first = agents.connect(board, { ...identity, key });
  expect(await first.has('welcome')).toMatchObject({ agentId: identity.agentId });
  const second = agents.connect(board, { key });
  expect(await second.has('refused')).toMatchObject({ code: 'KEY', retry: false });
  expect(second.state.closed).toBe(1008);
  // The welcome may have been lost: the key is said again.
  await agents.connect(board, { ...identity, key }).has('welcome');
  const other = agents.connect(board, { ...identity, secret: agents.newIdentity().secret });
  expect(await other.has('refused')).toMatchObject({ code: 'SECRET' });
  const last = agents.connect(board, identity);
  await last.has('welcome');
  await vi.waitFor(() => expect(first.state.closed).toBe(4000), WAIT);
  expect(await listed(identity.agentId)).toMatchObject({ connected: true, version: '1.0.0' });
  await agents.call('DELETE /admin/agents/:agentId', { params: { agentId: identity.agentId } });
  await vi.waitFor(() => expect(last.state.closed).toBe(4000), WAIT);
  expect(await agents.connect(board, identity).has('refused')).toMatchObject({ code: 'REMOVED' });
  expect(await listed(identity.agentId)).toBeUndefined();
});

it('a stranger that is refused keeps its place until it is gone, and is not listened to', async () => {
  const seen = { ended: 0, left: 0 };
  const socket = {
    address: '127.0.0.1',
    send: () => {},
    ping: () => {},
    end: () => {
      seen.ended += 1;
    },
    cut: () => {},
  };
  const admitted = () => {
    seen.left += 1;
  };
  const listener = board.open(socket, { log: { info: () => {}, warn: () => {} } as never, admitted });
  const hello = { type: 'hello', protocol: 1, name: 'pi', version: '1.0.0', modems: [], holds: [] };
  listener.onText(JSON.stringify({ ...hello, ...agents.newIdentity(), key: 'none' }));
  await vi.waitFor(() => expect(seen).toEqual({ ended: 1, left: 0 }), WAIT);
  const parse = vi.spyOn(JSON, 'parse');
  listener.onText('"more"');
  const parsed = parse.mock.calls.map(([text]) => text);
  parse.mockRestore();
  expect(parsed).not.toContain('"more"');
  listener.onEnd();
  expect(seen).toEqual({ ended: 1, left: 1 });
});

it('a heartbeat tells the inventory of the SIM, and settings reach the agent at once', async () => {
  const identity = agents.newIdentity();
  const modem = { name: 'm1', driver: 'gammu' as const, imsi: '454009999999999', number: '+85261110000' };
  const agent = agents.connect(board, { ...identity, modems: [modem], key: await newKey() });
  await agent.has('welcome');
  agent.beat([{ ...modem, balance: '48.50', validUntil: '2027-01-31' }]);
  await vi.waitFor(async () => expect((await phoneOf(modem.imsi))?.heard).toBe(true), WAIT);
  expect(await phoneOf(modem.imsi)).toMatchObject({
    name: 'pi-m1',
    balance: '48500000',
    validUntil: '2027-01-31',
  });
  expect(await listed(identity.agentId)).toMatchObject({
    modems: [{ name: 'm1', driver: 'gammu', up: true, phoneName: 'pi-m1', sending: false }],
  });
  const body = { heartbeatSeconds: 5, balanceCode: '*101#' };
  await agents.call('PUT /admin/agents/:agentId', { params: { agentId: identity.agentId }, body });
  expect(await agent.has('settings')).toMatchObject({ settings: body });
});

it('a message goes to the agent once, its result, receipt and answer come back, each once though repeated', async () => {
  const delivery = work();
  const one = await join();
  const { agent, lane } = one;
  await vi.waitFor(async () => expect(await isUp(lane)).toBe(true), WAIT);
  const { id, send } = await sendOne(one);
  expect(send).toMatchObject({ modem: 'm1', text: 'hello', receipt: true });
  agent.say({ type: 'taken', id: send.id });
  agent.result(send.id);
  agent.result(send.id);
  await room.become([id], 'SUCCESS', 20_000);
  expect(await room.read([id])).toMatchObject([{ providerMessageId: send.id, attempts: 1 }]);
  const at = new Date().toISOString();
  const receipt = {
    type: 'receipt',
    id: 'receipt-1',
    modem: 'm1',
    handOverId: send.id,
    code: '',
    at,
  } as const;
  agent.say({ ...receipt, state: 'delivered' });
  agent.say({ ...receipt, state: 'delivered' });
  const incoming = {
    type: 'incoming',
    id: 'incoming-1',
    modem: 'm1',
    from: '+85261000000',
    text: 'STOP?',
    at,
  } as const;
  agent.say(incoming);
  agent.say(incoming);
  await vi.waitFor(() => {
    const acks = agent.frames.filter((frame) => frame.type === 'ack');
    expect(acks.flatMap((ack) => ack.results)).toContain(send.id);
    expect(acks.flatMap((ack) => ack.receipts)).toContain('receipt-1');
    expect(acks.flatMap((ack) => ack.incoming)).toContain('incoming-1');
  }, WAIT);
  await vi.waitFor(async () => expect((await room.read([id]))[0]?.deliveredAt).not.toBeNull(), WAIT);
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from messages where type = 'incoming' and message = 'STOP?')::int
      + (select count(*) from unassigned_inbound where message = 'STOP?')::int as count`.execute(room.db);
  expect(rows[0]?.count).toBe(1);
  expect(agent.sends()).toHaveLength(1);
  await vi.waitFor(async () => {
    const left = await sql`select from agent_handovers`.execute(room.db);
    expect(left.rows).toHaveLength(0);
  }, WAIT);
  await delivery.stop(1_000);
});

it('after a cut line the next connection, at another process, is asked for what the agent does not hold', async () => {
  const delivery = work();
  const one = await join();
  await vi.waitFor(async () => expect(await isUp(one.lane)).toBe(true), WAIT);
  const { id, send } = await sendOne(one);
  one.agent.cut();
  const elsewhere = agents.openBoard();
  const holding = agents.connect(elsewhere, { ...one.hello, holds: [send.id] });
  await holding.has('welcome');
  holding.beat([one.modem]);
  // The empty answer to the heartbeat: it was given its hand-overs before.
  await holding.has('ack');
  expect(holding.sends()).toEqual([]);
  holding.cut();
  const again = agents.connect(elsewhere, one.hello);
  await again.has('send');
  expect(again.sends().map((frame) => frame.id)).toEqual([send.id]);
  again.result(send.id);
  await room.become([id], 'SUCCESS', 20_000);
  await delivery.stop(1_000);
});

it('what no connection was given waits again when the agent leaves; what was given is in doubt until it says more', async () => {
  const one = await join();
  const first = work();
  await vi.waitFor(async () => expect(await isUp(one.lane)).toBe(true), WAIT);
  const { id, send } = await sendOne(one);
  one.agent.cut();
  // The worker ends without an answer: nobody knows.
  await first.stop(200);
  await vi.waitFor(async () => expect((await room.read([id]))[0]?.unknownSince).not.toBeNull(), WAIT);
  const back = agents.connect(board, { ...one.hello, holds: [send.id] });
  await back.has('welcome');
  back.result(send.id);
  await room.become([id], 'SUCCESS', 20_000);
  expect(await room.read([id])).toMatchObject([{ providerMessageId: send.id, unknownSince: null }]);
});

it('what a connected agent is not given within seconds waits again', async () => {
  const one = await join();
  const delivery = work();
  await vi.waitFor(async () => expect(await isUp(one.lane)).toBe(true), WAIT);
  // Its connection is at a process that has died: it counts as connected until it was silent for long.
  await sql`update agents set connection_id = ${randomUUID()}, seen_at = clock_timestamp() + interval '1 hour'
    where name = ${one.hello.name}`.execute(room.db);
  const ids = await room.accept({ accountId: await room.funded(10), lane: one.lane });
  await vi.waitFor(async () => expect(await room.read(ids)).toMatchObject([{ isClaimed: true }]), WAIT);
  await vi.waitFor(async () => expect(await room.read(ids)).toMatchObject([{ waits: true, attempts: 1 }]), {
    timeout: 10_000,
    interval: 50,
  });
  expect(one.agent.sends()).toEqual([]);
  await delivery.stop(1_000);
  // Otherwise it goes to the phones of the next ones.
  await sql`update agents set connection_id = null where name = ${one.hello.name}`.execute(room.db);
  await cancelAll(room.db);
});

it('an agent that had not begun says so, and the message that was in doubt is sent by another attempt', async () => {
  const one = await join();
  const first = work();
  await vi.waitFor(async () => expect(await isUp(one.lane)).toBe(true), WAIT);
  const { id, send } = await sendOne(one);
  one.agent.cut();
  await first.stop(200);
  await vi.waitFor(async () => expect((await room.read([id]))[0]?.unknownSince).not.toBeNull(), WAIT);
  const back = agents.connect(board, { ...one.hello, holds: [send.id] });
  await back.has('welcome');
  back.beat([one.modem]);
  back.result(send.id, {
    outcome: 'refused',
    code: 'EXPIRED',
    reason: 'too late',
    retryable: true,
    references: [],
  });
  const second = work();
  await vi.waitFor(() => expect(back.sends().map((frame) => frame.id.split('.')[0])).toEqual([id]), WAIT);
  const next = back.sends()[0]?.id ?? '';
  expect(next).not.toBe(send.id);
  back.result(next);
  await room.become([id], 'SUCCESS', 20_000);
  await second.stop(1_000);
});

it('what went out on a dead line is sent by another attempt once the agent is back without it, though too late', async () => {
  const one = await join();
  const first = work();
  await vi.waitFor(async () => expect(await isUp(one.lane)).toBe(true), WAIT);
  const { id, send } = await sendOne(one);
  one.agent.cut();
  await first.stop(200);
  await vi.waitFor(async () => expect((await room.read([id]))[0]?.unknownSince).not.toBeNull(), WAIT);
  await sql`update agent_handovers set until = now() - interval '1 second' where message_id = ${id}`.execute(
    room.db,
  );
  const isGiven = async () => {
    const { rows } = await sql<{ given: boolean }>`
      select given_at is not null as given from agent_handovers where message_id = ${id}`.execute(room.db);
    return rows[0]?.given;
  };
  // It holds it, or perhaps: it can't name more.
  const others = Array.from({ length: MOST_HELD }, () => `${randomUUID()}.1` as HandOverId);
  for (const holds of [[send.id], others]) {
    const holding = agents.connect(board, { ...one.hello, holds });
    await holding.has('welcome');
    expect(await isGiven()).toBe(true);
    holding.cut();
  }
  const back = agents.connect(board, one.hello);
  await back.has('welcome');
  back.beat([one.modem]);
  const second = work();
  await vi.waitFor(() => expect(back.sends().map((frame) => frame.id.split('.')[0])).toEqual([id]), WAIT);
  const next = back.sends()[0]?.id ?? '';
  expect(next).not.toBe(send.id);
  back.result(next);
  await room.become([id], 'SUCCESS', 20_000);
  await second.stop(1_000);
});

it("an agent's word on what another agent was given, or had in doubt, counts for nothing", async () => {
  const one = await join();
  const other = await join();
  const delivery = work();
  await vi.waitFor(async () => expect(await isUp(one.lane)).toBe(true), WAIT);
  const { id, send } = await sendOne(one);
  const acked = () =>
    other.agent.frames.filter((frame) => frame.type === 'ack').flatMap(({ results }) => results);
  other.agent.result(send.id);
  await vi.waitFor(() => expect(acked()).toEqual([send.id]), WAIT);
  const { rows } = await sql`select outcome from agent_handovers where message_id = ${id}`.execute(room.db);
  expect(rows).toEqual([{ outcome: null }]);
  one.agent.cut();
  await delivery.stop(200);
  await vi.waitFor(async () => expect((await room.read([id]))[0]?.unknownSince).not.toBeNull(), WAIT);
  await sql`delete from agent_handovers where message_id = ${id}`.execute(room.db);
  other.agent.result(send.id);
  await vi.waitFor(() => expect(acked()).toEqual([send.id, send.id]), WAIT);
  expect((await room.read([id]))[0]).toMatchObject({ status: 'PENDING', providerMessageId: null });
  const back = agents.connect(board, { ...one.hello, holds: [send.id] });
  await back.has('welcome');
  back.result(send.id);
  await room.become([id], 'SUCCESS', 20_000);
});

it('what is too much at once is left out, and stored when the agent says it again', async () => {
  const { agent } = await join();
  const ids = Array.from({ length: 6_000 }, () => `${randomUUID()}.1`);
  const acked = () =>
    new Set(
      agent.frames.filter((frame) => frame.type === 'ack').flatMap(({ results }) => results as string[]),
    );
  for (const id of ids) agent.result(id);
  await vi.waitFor(() => expect(acked().size).toBeGreaterThanOrEqual(5_000), WAIT);
  const known = acked();
  expect(known.size).toBeLessThan(6_000);
  for (const id of ids) if (!known.has(id)) agent.result(id);
  await vi.waitFor(() => expect(acked().size).toBe(6_000), WAIT);
  expect(agent.state.closed).toBeUndefined();
});

it('what came to a SIM is for its phone, and a receipt for its message, after another SIM has taken its place', async () => {
  const delivery = work();
  const one = await join();
  const { agent, lane, modem } = one;
  await vi.waitFor(async () => expect(await isUp(lane)).toBe(true), WAIT);
  const { id, send } = await sendOne(one);
  agent.result(send.id);
  await room.become([id], 'SUCCESS', 20_000);
  const next = { ...modem, imsi: '454007777777777' };
  agent.beat([next]);
  await vi.waitFor(async () => expect((await phoneOf(next.imsi))?.heard).toBe(true), WAIT);
  const nextId = (await phoneOf(next.imsi))?.id as PhoneId;
  await agents.switchOn(nextId);
  const at = new Date().toISOString();
  const from = '+85261000099';
  agent.say({
    type: 'receipt',
    id: 'sim-receipt',
    modem: 'm1',
    handOverId: send.id,
    state: 'delivered',
    code: '',
    at,
  });
  agent.say({
    type: 'incoming',
    id: 'sim-before',
    modem: 'm1',
    imsi: modem.imsi,
    from,
    text: 'to the first',
    at,
  });
  agent.say({
    type: 'incoming',
    id: 'sim-after',
    modem: 'm1',
    imsi: next.imsi,
    from,
    text: 'to the second',
    at,
  });
  agent.say({
    type: 'incoming',
    id: 'sim-unreported',
    modem: 'm1',
    imsi: '454001010101010',
    from,
    text: 'whose?',
    at,
  });
  const acks = () => agent.frames.filter((frame) => frame.type === 'ack');
  await vi.waitFor(() => {
    expect(acks().flatMap(({ receipts }) => receipts)).toEqual(['sim-receipt']);
    expect(acks().flatMap(({ incoming }) => incoming)).toEqual(['sim-before', 'sim-after', 'sim-unreported']);
  }, WAIT);
  const { rows } = await sql`
    select lane_id as lane, message from unassigned_inbound where sender = ${from} order by message`.execute(
    room.db,
  );
  const unreportedId = (await phoneOf('454001010101010'))?.id as PhoneId;
  expect(rows).toEqual([
    { lane: lane.id, message: 'to the first' },
    { lane: (await laneOf(nextId)).id, message: 'to the second' },
    { lane: (await laneOf(unreportedId)).id, message: 'whose?' },
  ]);
  await vi.waitFor(async () => expect((await room.read([id]))[0]?.deliveredAt).not.toBeNull(), WAIT);
  await delivery.stop(1_000);
});

it('what comes to a SIM whose phone does not send yet is stored for an admin, with the lane that sends later', async () => {
  const modem = { name: 'm1', driver: 'serial' as const, imsi: '454006666666666' };
  const agent = agents.connect(board, { modems: [modem], key: await newKey() });
  await agent.has('welcome');
  const from = '+85261000066';
  agent.say({
    type: 'incoming',
    id: 'not-sending',
    modem: 'm1',
    from,
    text: 'Your SIM is active.',
    at: new Date().toISOString(),
  });
  await vi.waitFor(() => {
    const acks = agent.frames.filter((frame) => frame.type === 'ack');
    expect(acks.flatMap(({ incoming }) => incoming)).toEqual(['not-sending']);
  }, WAIT);
  const phoneId = (await phoneOf(modem.imsi))?.id as PhoneId;
  const lane = await laneOf(phoneId);
  const { rows } = await sql`
    select lane_id as lane, message from unassigned_inbound where sender = ${from}`.execute(room.db);
  expect(rows).toEqual([{ lane: lane.id, message: 'Your SIM is active.' }]);
  const modeOf = async () => (await readPhoneLanes(room.db)).find(({ id }) => id === lane.id)?.mode;
  expect(await modeOf()).toBe('removed');
  await agents.switchOn(phoneId);
  expect(await modeOf()).toBe('on');
});

it('what an agent says of a modem that it does not have is not acknowledged, and the log says so', async () => {
  const { agent } = await join();
  room.warnings.length = 0;
  const at = new Date().toISOString();
  agent.say({ type: 'incoming', id: 'no-modem', modem: 'm9', from: '+85261000067', text: 'Hi', at });
  await vi.waitFor(() => expect(room.warnings).toContain('some of what an agent said was not stored'), WAIT);
  const acks = agent.frames.filter((frame) => frame.type === 'ack');
  expect(acks.flatMap(({ incoming }) => incoming)).toEqual([]);
});

it('what an admin has resolved meanwhile is not given to the agent any more', async () => {
  const one = await join();
  const delivery = work();
  await vi.waitFor(async () => expect(await isUp(one.lane)).toBe(true), WAIT);
  const { id } = await sendOne(one);
  one.agent.cut();
  await delivery.stop(200);
  await vi.waitFor(async () => expect((await room.read([id]))[0]?.unknownSince).not.toBeNull(), WAIT);
  const waiting = agents.connect(board, one.hello);
  await waiting.has('send');
  waiting.cut();
  await sql`update messages set status = 'FAILED' where id = ${id}`.execute(room.db);
  const back = agents.connect(board, one.hello);
  await back.has('welcome');
  back.beat([one.modem]);
  // The empty answer to the heartbeat: it was given its hand-overs before.
  await back.has('ack');
  expect(back.sends()).toEqual([]);
});

it('a phone that becomes real leaves what waits in its simulated lane behind', async () => {
  const { addPhone, changePhone } = await import('../phones/index.ts');
  const phoneId = await addPhone(agents.phones, { name: 'known', phoneNumber: '+852 6111 7777' });
  await changePhone(agents.phones, phoneId, { smsActive: true });
  const before = await laneOf(phoneId);
  const modem = { name: 'm1', driver: 'serial' as const, imsi: '454008888888888', number: '+85261117777' };
  const agent = agents.connect(board, { modems: [modem], key: await newKey() });
  await agent.has('welcome');
  expect((await phoneOf(modem.imsi))?.id).toBe(phoneId);
  const { rows } = await sql<{ id: number; provider: string; mode: string; simulated: boolean }>`
    select id, provider, mode, simulated from lanes where phone_id = ${phoneId} order by id`.execute(room.db);
  expect(rows).toMatchObject([
    { id: before.id, mode: 'removed', simulated: true },
    { provider: 'agent', mode: 'on', simulated: false },
  ]);
});

it('a SIM that another agent reports sends nothing there before an operator has confirmed that it moved', async () => {
  const home = await join();
  const accountId = await room.funded(10);
  const thief = agents.newIdentity();
  const hello = { ...thief, name: 'thief', modems: [{ ...home.modem, name: 't1' }] };
  const other = agents.connect(board, { ...hello, key: await newKey() });
  await other.has('welcome');
  home.agent.cut();
  other.beat(hello.modems);
  const shown = async () => (await listed(thief.agentId))?.modems[0];
  await vi.waitFor(
    async () =>
      expect(await shown()).toMatchObject({
        phoneId: null,
        moved: { phoneName: `${home.hello.name}-m1`, agentName: home.hello.name },
      }),
    WAIT,
  );
  expect((await listMovedPhones(room.db, 10)).map(({ phoneId }) => phoneId)).toContain(home.phoneId);
  const worker = work();
  await vi.waitFor(async () => expect(await isUp(home.lane)).toBe(false), WAIT);
  const [id] = await room.accept({ accountId, lane: home.lane });
  // Also after both ends began anew, and if it says so again without the IMSI.
  other.cut();
  const again = agents.connect(board, hello);
  await again.has('welcome');
  again.beat([{ name: 't1', driver: 'serial' }]);
  await vi.waitFor(async () => expect((await shown())?.up).toBe(true), WAIT);
  await sleep(1_500);
  expect([...other.sends(), ...again.sends()]).toEqual([]);

  const confirm = () =>
    agents.call('POST /admin/agents/:agentId/movedSim', {
      params: { agentId: thief.agentId },
      body: { modem: 't1' },
    });
  await confirm();
  await vi.waitFor(() => expect(again.sends().some((send) => send.id.startsWith(`${id}`))).toBe(true), WAIT);
  expect(await shown()).toMatchObject({ phoneId: home.phoneId, moved: null });
  expect(await listMovedPhones(room.db, 10)).toEqual([]);
  await expect(confirm()).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  await worker.stop(0);
});

it('an agent’s word gives a SIM no number that another phone has', async () => {
  const { addPhone } = await import('../phones/index.ts');
  const number = '+85261118888';
  const owner = await addPhone(agents.phones, { name: 'owner', phoneNumber: number });
  await sql`update phones set imsi = '454005555555557' where id = ${owner}`.execute(room.db);
  const numbersOf = async () => {
    const { rows } = await sql<{ name: string; number: string }>`
      select name, phone_number as number from phones where imsi like '45400555555555%' order by imsi`.execute(
      room.db,
    );
    return rows.map((row) => [row.name, row.number]);
  };
  // A SIM that is new here, then one that the inventory knows without a number.
  await addPhone(agents.phones, { name: 'bare' });
  await sql`update phones set imsi = '454005555555559' where name = 'bare'`.execute(room.db);
  const modems = ['454005555555558', '454005555555559'].map((imsi, at) => ({
    name: `m${at}`,
    driver: 'serial' as const,
    imsi,
    number,
  }));
  await agents.connect(board, { name: 'claims', modems, key: await newKey() }).has('welcome');
  expect(await numbersOf()).toEqual([
    ['owner', number],
    ['claims-m0', ''],
    ['bare', ''],
  ]);
  // Once it was given back, the number is the next one's.
  await sql`update phones set remark = 'RELEASED' where id = ${owner}`.execute(room.db);
  const free = { name: 'm9', driver: 'serial' as const, imsi: '454005555555550', number };
  await agents.connect(board, { name: 'free', modems: [free], key: await newKey() }).has('welcome');
  expect(await numbersOf()).toContainEqual(['free-m9', number]);
});

it('what can not be stored is refused with the reason, and is not asked for again', async () => {
  for (const [wrong, reason] of [
    [{ name: 'pi\0' }, 'name'],
    [{ holds: [`${randomUUID()}.32768` as HandOverId] }, '32767'],
  ] satisfies [object, string][]) {
    const agent = agents.connect(board, { ...wrong, key: await newKey() });
    const refused = await agent.has('refused');
    expect(refused).toMatchObject({ code: 'PROTOCOL', retry: false });
    expect(JSON.stringify(refused)).toContain(reason);
    expect(agent.state.closed).toBe(1008);
  }
  const { agent } = await join();
  agent.result(`${randomUUID()}.40000`);
  expect(await agent.has('refused')).toMatchObject({ code: 'PROTOCOL', retry: false });
});

it('a NUL that a modem or a sender wrote keeps nothing else from being stored', async () => {
  const { agent, modem, hello } = await join();
  agent.say({ type: 'heartbeat', modems: [{ ...modem, up: true, network: 'net\0work' }] });
  await vi.waitFor(
    async () => expect((await listed(hello.agentId))?.modems[0]).toMatchObject({ network: 'net\uFFFDwork' }),
    WAIT,
  );
});
