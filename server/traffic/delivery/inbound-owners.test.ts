import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { changeWaiting } from '../../../test/chunks.ts';
import { openTestDelivery, scriptedCarrier } from '../../../test/delivery.ts';
import { findOptedOut, readReplies } from '../../customer/opt-outs/index.ts';
import { giveSender } from '../../customer/senders/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { replacePrefixes } from '../carriers/index.ts';
import type { Lane } from '../lanes/index.ts';
import { adminInboundRoutes, listNumberUsers, noSubscribers, type ReceivedInbound } from '../outbox/index.ts';
import { openReceiver } from './receive.ts';

const room = await openTestDelivery();
const { db } = room;
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const queue = { send: async () => {} };
const onInbound = (trx: Db, inbounds: ReceivedInbound[]) =>
  readReplies(
    { db: trx, queue, usersOf: (reply) => listNumberUsers(trx, reply) },
    inbounds.map((inbound) => ({ ...inbound, recipient: inbound.from })),
  );

let people = 0;
let numbers = 0;
const newPerson = (): string => `+85261${String(++people).padStart(6, '0')}`;
const newNumber = (): string => `+85230${String(++numbers).padStart(6, '0')}`;

/** A lane that a worker serves, with what people write to it. */
const openLane = async (options: { sender?: string; simulated?: boolean } = {}) => {
  const { carrier, script } = scriptedCarrier();
  const lane = await room.addLane(() => ({ ...carrier, simulated: options.simulated ?? false }), options);
  room.work([lane], {}, { onInbound });
  const hear = async (from: string, to: string, text: string = randomUUID()) => {
    await vi.waitFor(() => expect(script.opened).toBeGreaterThan(0));
    await script.events?.inbound({ providerMessageId: randomUUID(), from, to, text, at: new Date() });
    return text;
  };
  return { lane, hear };
};

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const receiver = openReceiver({
  db,
  log: quiet,
  publisher: noSubscribers,
  timing: { gatherMs: 5 },
  onInbound,
});
/** The ways out of a phone beside an agent, with what people write to the phone. */
const openPhone = async ({
  sender = '',
  methods = ['sim-modem'],
  lentTo = [] as AccountId[],
  aliases = [] as string[],
} = {}) => {
  const phoneId = randomUUID();
  const { rows: lanes } = await sql<Lane>`
    insert into lanes (name, channel, provider, simulated, source, phone_id, method, sender, dedicated_to,
      aliases)
    select ${phoneId} || method, 'sms', 'agent', false, 'phone', ${phoneId}::uuid, method, ${sender}, ${lentTo}::uuid[],
      ${aliases}::text[]
    from unnest(${methods}::text[]) as method returning id, name, channel`.execute(db);
  const hear = async (from: string, text: string = randomUUID()) => {
    const inbound = { providerMessageId: randomUUID(), from, to: sender, text, at: new Date() };
    await receiver.inbound(lanes.at(-1) as Lane, [inbound]);
    return text;
  };
  const write = async (accountId: AccountId, to: string) => {
    const ids = await room.accept({ accountId, lane: lanes[0] as Lane, recipient: () => to });
    await changeWaiting(db, sql`status = 'SUCCESS', sent_at = now()`, sql`id = any(${ids}::uuid[])`);
  };
  return { hear, write };
};
const newTenant = () => room.funded(10);
const closeOne = (accountId: AccountId) =>
  sql`update accounts set closed_at = now() where id = ${accountId}`.execute(db);
const give = (accountId: AccountId, sender: string) =>
  giveSender({ db, holdOpen: async () => true }, { accountId, channel: 'sms', sender });
const write = async (accountId: AccountId, lane: Lane, to: string, from?: string) =>
  room.become(await room.accept({ accountId, lane, recipient: () => to, ...(from && { from }) }), 'SUCCESS');

/** Whose it became; undefined if nobody's. */
const ownerOf = async (text: string): Promise<AccountId | undefined> => {
  const { rows } = await sql<{ owner: AccountId }>`
    select account_id as owner from messages where type = 'incoming' and message = ${text}`.execute(db);
  expect(rows.length).toBeLessThan(2);
  return rows[0]?.owner;
};
const isOut = async (accountId: AccountId, recipient: string) =>
  (await findOptedOut(db, [{ accountId, channel: 'sms', recipient }])).has(0);
const unassigned = async () => {
  const list = adminInboundRoutes({ db })['GET /admin/unassigned'];
  return (await list?.({ query: { limit: 50 } } as never))?.messages ?? [];
};

test('of two tenants on one lane each gets what was sent to its own number', async () => {
  const { lane, hear } = await openLane();
  const [one, two] = [await newTenant(), await newTenant()];
  const [numberOne, numberTwo] = [newNumber(), newNumber()];
  await give(one, numberOne);
  await give(two, numberTwo);
  const person = newPerson();
  await write(one, lane, person, numberOne);
  await write(two, lane, person, numberTwo);
  expect(await ownerOf(await hear(person, numberOne))).toBe(one);
  expect(await ownerOf(await hear(person, numberTwo))).toBe(two);
  // As the SMPP provider reads a number without its kind.
  expect(await ownerOf(await hear(person, numberOne.slice(1)))).toBe(one);
  await hear(person, numberOne, 'STOP');
  expect([await isOut(one, person), await isOut(two, person)]).toEqual([true, false]);
});

test('a tenant who sends one cheap message gets neither the replies to another’s number nor its STOP', async () => {
  const { lane, hear } = await openLane({ sender: newNumber() });
  const [victim, hostile] = [await newTenant(), await newTenant()];
  const number = newNumber();
  await give(victim, number);
  const person = newPerson();
  await write(victim, lane, person, number);
  await write(hostile, lane, person);
  // Accepted before senders were checked, or while the number was another's.
  await write(hostile, lane, person, number);
  expect(await ownerOf(await hear(person, number))).toBe(victim);
  await hear(person, number, 'STOP');
  expect(await isOut(victim, person)).toBe(true);
});

test('of those who share a number the last who wrote from it gets the reply, and STOP counts for them all', async () => {
  const { lane, hear } = await openLane();
  const number = newNumber();
  const [one, two, idle] = [await newTenant(), await newTenant(), await newTenant()];
  for (const accountId of [one, two, idle]) await give(accountId, number);
  const person = newPerson();
  await write(two, lane, person, number);
  await write(one, lane, person, number);
  // Not from that number.
  await write(two, lane, person);
  expect(await ownerOf(await hear(person, number))).toBe(one);
  await hear(person, number, 'STOP');
  for (const accountId of [one, two, idle]) expect(await isOut(accountId, person)).toBe(true);
  await hear(person, number, 'START');
  for (const accountId of [one, two, idle]) expect(await isOut(accountId, person)).toBe(false);
});

test('the operator’s own number is shared by all who named no sender', async () => {
  const shared = newNumber();
  const { lane, hear } = await openLane({ sender: shared });
  const other = await openLane({ sender: newNumber() });
  const [one, two, elsewhere] = [await newTenant(), await newTenant(), await newTenant()];
  const person = newPerson();
  await write(one, lane, person);
  await write(two, lane, person);
  await write(elsewhere, other.lane, person);
  expect(await ownerOf(await hear(person, shared))).toBe(two);
  await hear(person, shared, 'STOP');
  expect(await Promise.all([one, two, elsewhere].map((accountId) => isOut(accountId, person)))).toEqual([
    true,
    true,
    false,
  ]);
});

test('a reply to a phone that does not know its number is to that phone, not to every lane without a sender', async () => {
  const { lane } = await openLane();
  const phone = await openPhone({ methods: ['gammu', 'sim-modem'] });
  const [owner, elsewhere] = [await newTenant(), await newTenant()];
  const person = newPerson();
  // By the other modem that had its SIM.
  await phone.write(owner, person);
  await write(elsewhere, lane, person);
  expect(await ownerOf(await phone.hear(person))).toBe(owner);
  await phone.hear(person, 'STOP');
  expect([await isOut(owner, person), await isOut(elsewhere, person)]).toEqual([true, false]);
});

test('a reply and its STOP find their conversation without a plus sign or a country code', async () => {
  const { lane, hear } = await openLane({ sender: '12345' });
  const phone = await openPhone({ sender: newNumber() });
  const [one, two] = [await newTenant(), await newTenant()];
  const [person, neighbour] = [newPerson(), newPerson()];
  await write(one, lane, person);
  await phone.write(two, neighbour);
  // As a message centre tells it that says nothing of its kind, and a modem of a national network.
  expect(await ownerOf(await hear(person.slice(1), '12345'))).toBe(one);
  const text = await phone.hear(neighbour.slice(4));
  expect(await ownerOf(text)).toBe(two);
  const { rows } = await sql`select sender from messages where message = ${text}`.execute(db);
  expect(rows).toEqual([{ sender: neighbour }]);
  await hear(person.slice(1), '12345', 'STOP');
  await phone.hear(neighbour.slice(4), 'STOP');
  expect([await isOut(one, person), await isOut(two, neighbour)]).toEqual([true, true]);
});

test('digits that may be the number of two people are theirs whom we wrote to, and nobody’s if that was both or neither', async () => {
  const number = '+8613800138000';
  const { lane, hear } = await openLane({ sender: number });
  const [digits, chinese, american] = ['15022345678', '+8615022345678', '+15022345678'];
  const [one, two] = [await newTenant(), await newTenant()];
  const out = () => Promise.all([isOut(one, chinese), isOut(two, american), isOut(two, digits)]);
  expect(await ownerOf(await hear(digits, number))).toBeUndefined();
  await write(two, lane, american);
  expect(await ownerOf(await hear(digits, number))).toBe(two);
  await write(one, lane, chinese);
  expect(await ownerOf(await hear(digits, number))).toBeUndefined();
  await hear(digits, number, 'STOP');
  expect(await out()).toEqual([false, false, false]);
  await hear(chinese, number, 'STOP');
  expect(await out()).toEqual([true, false, false]);
});

test('START to a shared number takes back no opt-out that an account entered itself', async () => {
  const shared = newNumber();
  const { lane, hear } = await openLane({ sender: shared });
  const [one, two] = [await newTenant(), await newTenant()];
  const person = newPerson();
  await write(one, lane, person);
  await write(two, lane, person);
  await sql`insert into opt_outs (account_id, channel, recipient, source)
    values (${one}, 'sms', ${person}, 'MANUAL')`.execute(db);
  await hear(person, shared, 'STOP');
  await hear(person, shared, 'START');
  expect([await isOut(one, person), await isOut(two, person)]).toEqual([true, false]);
});

test('whoever writes first to the number of one account writes to that account', async () => {
  const { hear } = await openLane();
  const [owner, number] = [await newTenant(), newNumber()];
  await give(owner, number);
  const text = await hear(newPerson(), number);
  expect(await ownerOf(text)).toBe(owner);
  const { rows } = await sql`select country from messages where message = ${text}`.execute(db);
  expect(rows).toEqual([{ country: 'HK' }]);
});

test('whoever writes first to a phone that is lent to one account writes to that account', async () => {
  const [owner, former, number] = [await newTenant(), await newTenant(), newNumber()];
  const phone = await openPhone({ sender: number, lentTo: [owner] });
  const [stranger, known] = [newPerson(), newPerson()];
  expect(await ownerOf(await phone.hear(stranger))).toBe(owner);
  await phone.hear(stranger, 'STOP');
  expect(await isOut(owner, stranger)).toBe(true);
  // To whom it was lent before still gets the answers to what it wrote.
  await phone.write(former, known);
  expect(await ownerOf(await phone.hear(known))).toBe(former);
  // Given as a sender too, it is still one account's.
  await give(owner, number);
  expect(await ownerOf(await phone.hear(newPerson()))).toBe(owner);
});

test('whoever writes first to a phone of several accounts, or of none, writes to nobody', async () => {
  const [one, two] = [await newTenant(), await newTenant()];
  for (const lentTo of [[], [one, two]]) {
    const phone = await openPhone({ sender: newNumber(), lentTo });
    const person = newPerson();
    expect(await ownerOf(await phone.hear(person))).toBeUndefined();
    await phone.hear(person, 'STOP');
    expect([await isOut(one, person), await isOut(two, person)]).toEqual([false, false]);
  }
});

test('a closed account gets nothing: the one that wrote before it does, or nobody', async () => {
  const shared = newNumber();
  const { lane, hear } = await openLane({ sender: shared });
  const [stays, leaves] = [await newTenant(), await newTenant()];
  const [person, known] = [newPerson(), newPerson()];
  await write(stays, lane, person);
  await write(leaves, lane, person);
  await write(leaves, lane, known);
  const lent = await openPhone({ sender: newNumber(), lentTo: [leaves] });
  const both = await openPhone({ sender: newNumber(), lentTo: [leaves, stays] });
  await lent.write(leaves, person);
  await closeOne(leaves);
  const owners = [
    hear(person, shared),
    hear(known, shared),
    lent.hear(person),
    lent.hear(newPerson()),
    both.hear(newPerson()),
  ];
  expect(await Promise.all(owners.map(async (heard) => ownerOf(await heard)))).toEqual([
    stays,
    undefined,
    undefined,
    undefined,
    stays,
  ]);
  expect((await unassigned()).filter(({ from }) => from === known)).toMatchObject([{ to: shared }]);
  // It may be reopened, and whoever wrote STOP would hear from it again.
  await hear(person, shared, 'STOP');
  expect([await isOut(stays, person), await isOut(leaves, person)]).toEqual([true, true]);
});

test('what comes to the device of a closed account goes to no other that wrote from its number', async () => {
  const [owner, other, number, person] = [await newTenant(), await newTenant(), newNumber(), newPerson()];
  const device = await openPhone({ sender: number, lentTo: [owner] });
  await sql`update lanes set source = 'device', phone_id = null where sender = ${number}`.execute(db);
  const { lane } = await openLane();
  await write(other, lane, person, number);
  expect(await ownerOf(await device.hear(person))).toBe(owner);
  await closeOne(owner);
  expect(await ownerOf(await device.hear(person))).toBeUndefined();
});

test('what belongs to nobody is kept for an admin; its STOP counts for those who have the number', async () => {
  const { lane, hear } = await openLane({ sender: newNumber() });
  const [one, two] = [await newTenant(), await newTenant()];
  const [number, unknown] = [newNumber(), newNumber()];
  await give(one, number);
  await give(two, number);
  const person = newPerson();
  await write(one, lane, person);
  const text = await hear(person, number);
  const other = await hear(person, unknown);
  expect([await ownerOf(text), await ownerOf(other)]).toEqual([undefined, undefined]);
  expect((await unassigned()).filter(({ from }) => from === person)).toMatchObject([
    { from: person, to: unknown, message: other, lane: lane.name, channel: 'sms' },
    { from: person, to: number, message: text },
  ]);
  await hear(person, number, 'STOP');
  expect([await isOut(one, person), await isOut(two, person)]).toEqual([true, true]);
});

test('a simulated message from a number makes nobody its last writer; its replies reach no owner and opt nobody out, though it was paid for', async () => {
  const { lane, hear } = await openLane();
  const simulator = await openLane({ simulated: true });
  const number = newNumber();
  const [one, two, tester] = [await newTenant(), await newTenant(), await newTenant()];
  await give(one, number);
  await give(two, number);
  const person = newPerson();
  await write(one, lane, person, number);
  await write(two, simulator.lane, person, number);
  await sql`update messages set test = true where lane_id = ${simulator.lane.id}`.execute(db);
  expect(await ownerOf(await hear(person, number))).toBe(one);
  await write(tester, simulator.lane, person, number);
  await sql`update messages set test = true where lane_id = ${simulator.lane.id}`.execute(db);
  expect(await ownerOf(await simulator.hear(person, number))).toBe(tester);
  await simulator.hear(person, number, 'STOP');
  const all = await Promise.all([one, two, tester].map((tenant) => isOut(tenant, person)));
  expect(all).toEqual([false, false, false]);
});

test("an incoming message has the network of its sender's number, otherwise the one of the phone that it came to", async () => {
  const tenant = await newTenant();
  const phone = await openPhone({ sender: newNumber(), lentTo: [tenant], aliases: ['smartone', 'csl'] });
  const [known, unknown] = [newPerson(), newPerson()];
  await replacePrefixes(db, [{ prefix: known, carrierName: 'three' }]);
  const texts = [await phone.hear(known), await phone.hear(unknown)];
  const { rows } = await sql<{ message: string; carrier: string }>`
    select message, carrier from messages where account_id = ${tenant}`.execute(db);
  expect(texts.map((text) => rows.find(({ message }) => message === text)?.carrier)).toEqual([
    'three',
    'smartone',
  ]);
  await replacePrefixes(db, []);
});
