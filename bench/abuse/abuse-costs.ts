import { randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { bringBounce, reportOf } from '../../test/bounces.ts';
import type { FuzzAccount } from '../fuzz/fuzz-scene.ts';
import {
  type Answered,
  type Attack,
  type AttackScene,
  ask,
  askAgain,
  bearer,
  formWith,
  session,
  testBearer,
  until,
} from './attack.ts';

/** A number in Hong Kong that nobody else writes to here. */
const newPerson = (): string => `+8525${randomInt(1_000_000, 9_999_999)}`;
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

/** What is refused singly is refused in many and in a file; whoever is told of it is told why. */
const everyWay = async (
  scene: AttackScene,
  { by, channel, ...wanted }: { by: FuzzAccount; channel: string; phone: string; fromPhone?: string },
): Promise<[string, Answered][]> => {
  const { url } = scene;
  const headers = bearer(by);
  const message = { message: 'hostile', ...wanted };
  const { phone, fromPhone } = wanted;
  const csv = `${channel === 'email' ? 'email' : 'phone'},message\n${phone},hostile\n`;
  const fields: Record<string, string> = fromPhone === undefined ? {} : { fromPhone };
  const upload = () => ask(url, `/api/${channel}/csvSend`, { headers, body: formWith(csv, fields) });
  return [
    ['a call', await ask(url, `/api/${channel}/send`, { headers, body: message })],
    [
      'a schedule',
      await ask(url, `/api/${channel}/send`, { headers, body: { ...message, sendAt: inAnHour() } }),
    ],
    ['many', await ask(url, `/api/${channel}/sendMany`, { headers, body: { messages: [message] } })],
    ['a file', await askAgain(scene, upload)],
  ];
};

/** Refused for another reason would show nothing. */
const isRefused = ({ status, reply }: Answered, codes: string[]): boolean =>
  (status !== 200 || reply.accepted === 0) && codes.some((code) => JSON.stringify(reply).includes(code));

/** What of these was not refused with one of the codes, or went out before a paid message of later. */
const wentOut = async (
  scene: AttackScene,
  tries: [string, Answered][],
  { recipients, codes }: { recipients: string[]; codes: string[] },
): Promise<string | undefined> => {
  const taken = tries.find(([, answer]) => !isRefused(answer, codes));
  if (taken) return `${taken[0]} was answered with ${JSON.stringify(taken[1]).slice(0, 300)}`;
  const mark = newPerson();
  const paid = { headers: bearer(scene.attacker), body: { phone: mark, message: 'paid' } };
  if ((await ask(scene.url, '/api/sms/send', paid)).status !== 200) return 'a paid message was refused';
  const arrived = async (person: string): Promise<boolean> =>
    Object.keys(await scene.centre.messages()).some((key) => key.startsWith(person.slice(1))) ||
    scene.sink.received.some(({ to }) => to.includes(person));
  if (!(await until(() => arrived(mark)))) return 'a paid message never went out';
  for (const person of recipients) if (await arrived(person)) return `a message to ${person} went out`;
  return undefined;
};

/** As a stranger does it: a card of the sandbox, then the charge. */
const payByTestCard = async (url: string, { token }: FuzzAccount): Promise<void> => {
  const call = async (path: string, body: object): Promise<Record<string, unknown>> =>
    (await ask(url, `/api${path}`, { headers: { authorization: token }, method: 'POST', body })).reply;
  const { client_secret } = await call('/cards/intent', {});
  const card = { client_secret, number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };
  const { auth } = await call('/sandbox/cards/confirm', card);
  const kept = await call('/cards', { auth });
  const { _id } = kept.card as { _id: string };
  await call(`/cards/${_id}/charge`, { amount: 50 });
};

const giveSender = (
  { url, admin }: AttackScene,
  { accountId }: FuzzAccount,
  channel: string,
  sender: string,
): Promise<Answered> =>
  ask(url, '/api/admin/senders', { headers: session(admin), body: { accountId, channel, sender } });

const isOptedOut = async (
  { db }: AttackScene,
  { accountId }: FuzzAccount,
  person: string,
): Promise<boolean> => {
  const { rows } = await sql`select 1 from opt_outs
    where account_id = ${accountId} and recipient = ${person}`.execute(db);
  return rows.length > 0;
};

/** What an attack once got without paying for it, or at another's cost. */
export const COST_ATTACKS: readonly Attack[] = [
  {
    point: 6,
    title: 'test cards that pay for real messages',
    run: async (scene) => {
      const buyer = await scene.newcomer();
      await payByTestCard(scene.url, buyer);
      const [phone, email] = [newPerson(), `${randomUUID()}@example.com`];
      const tries = [
        ...(await everyWay(scene, { by: buyer, channel: 'sms', phone })),
        ...(await everyWay(scene, { by: buyer, channel: 'email', phone: email })),
      ];
      return wentOut(scene, tries, { recipients: [phone, email], codes: ['E_SANDBOX_MONEY'] });
    },
  },
  {
    point: 7,
    title: 'destinations without a price, premium and satellite numbers',
    run: async (scene) => {
      const hostile = ['+447400123456', '+85290012345678', '+881612345678', '+447012345678'];
      const tries: [string, Answered][] = [];
      for (const phone of hostile)
        tries.push(...(await everyWay(scene, { by: scene.attacker, channel: 'sms', phone })));
      return wentOut(scene, tries, { recipients: hostile, codes: ['E_NO_PRICE', 'E_NUMBER_RANGE'] });
    },
  },
  {
    point: 8,
    title: 'replies and STOP to the number of another, by one cheap message',
    run: async (scene) => {
      const { url, centre, attacker, victim, db } = scene;
      const [number, person] = [newPerson(), newPerson()];
      await giveSender(scene, victim, 'sms', number);
      const send = async (by: FuzzAccount, body: { message: string; fromPhone?: string }) => {
        const { status } = await ask(url, '/api/sms/send', {
          headers: bearer(by),
          body: { phone: person, ...body },
        });
        const key = `${person.slice(1)} ${body.message}`;
        return status === 200 && (await until(async () => key in (await centre.messages())));
      };
      if (!(await send(victim, { message: 'from my number', fromPhone: number })))
        return 'the message of the owner never went out';
      if (!(await send(attacker, { message: 'cheap' }))) return 'the cheap message never went out';
      const text = randomUUID();
      await centre.write({ from: person, to: number, text });
      let owner: unknown;
      const heard = async () => {
        const { rows } = await sql<{ owner: string }>`
          select account_id as owner from messages where type = 'incoming' and message = ${text}`.execute(db);
        owner = rows[0]?.owner;
        return rows.length > 0;
      };
      if (!(await until(heard))) return 'the reply was nobody’s';
      if (owner !== victim.accountId) return 'the reply went to another tenant';
      await centre.write({ from: person, to: number, text: 'STOP' });
      if (!(await until(() => isOptedOut(scene, victim, person)))) return 'the STOP was swallowed';
      return (await isOptedOut(scene, attacker, person)) ? 'the STOP counts for a stranger' : undefined;
    },
  },
  {
    point: 9,
    title: 'names, numbers and addresses of others as the sender',
    run: async (scene) => {
      const { attacker, victim } = scene;
      const given = [
        ['sms', 'HSBC'],
        ['sms', newPerson()],
        ['email', 'shop@victim.example'],
        ['email', 'shared.example'],
      ] as const;
      for (const [channel, sender] of given) {
        const { status } = await giveSender(scene, victim, channel, sender);
        if (status !== 200) return `the admin's ${sender} was answered with ${status}`;
      }
      const named = [...given.slice(0, 3), ['sms', 'Posthorn'], ['email', 'a@shared.example']] as const;
      const poses = [
        ...named,
        ['email', 'HSBC <post@sender.example>'],
        ['email', 'no-reply@sender.example'],
      ] as const;
      const tries: [string, Answered][] = [];
      const recipients: string[] = [];
      for (const [channel, fromPhone] of poses) {
        const phone = channel === 'sms' ? newPerson() : `${randomUUID()}@example.com`;
        recipients.push(phone);
        tries.push(...(await everyWay(scene, { by: attacker, channel, phone, fromPhone })));
      }
      return wentOut(scene, tries, { recipients, codes: ['E_SENDER_NOT_GIVEN', 'E_SENDER_UNVERIFIED'] });
    },
  },
  {
    point: 10,
    title: 'a bounce that the recipient made up',
    run: async ({ url, attacker, sink, bouncePort }) => {
      const { reply } = await ask(url, '/api/email/send', {
        headers: bearer(attacker),
        body: { phone: 'forger@example.com', message: 'hello' },
      });
      if (!(await until(() => sink.received.some(({ to }) => to.includes('forger@example.com')))))
        return 'the email never went out';
      const mail = sink.received.find(({ to }) => to.includes('forger@example.com'));
      await bringBounce(bouncePort, mail?.from ?? '', reportOf('failed', '5.1.1'), {
        localAddress: '127.0.0.2',
      });
      const own = `/api/account/${attacker.accountId}/ledger?kind=REFUND`;
      const refunds = await ask(url, own, { headers: session(attacker) });
      const entries = JSON.stringify(refunds.reply.entries ?? []);
      return entries.includes(String(reply._id)) || (refunds.reply.entries as unknown[])?.length > 0
        ? 'it was given back'
        : undefined;
    },
  },
  {
    point: 10,
    title: 'a STOP of the simulator, and paid messages by the test secret',
    run: async ({ url, attacker, db }) => {
      const paid = await ask(url, '/api/sms/send', {
        headers: bearer(attacker),
        body: { phone: '+85261234560', message: 'paid' },
      });
      const seen = await ask(url, `/api/messages/${paid.reply._id}`, { headers: testBearer(attacker) });
      if (seen.status !== 404) return `the test secret read a paid message: ${seen.status}`;
      await ask(url, '/api/sms/send', {
        headers: testBearer(attacker),
        body: { phone: '+85261230010', message: 'stops' },
      });
      const stopped = async () => {
        const { rows } = await sql`select 1 from messages
          where account_id = ${attacker.accountId} and type = 'incoming' and message = 'STOP'`.execute(db);
        return rows.length > 0;
      };
      if (!(await until(stopped))) return 'the simulator never answered';
      const outs = await ask(url, `/api/account/${attacker.accountId}/optOuts`, {
        headers: session(attacker),
      });
      return outs.reply.total === 0 ? undefined : 'a simulated STOP is in the list of opt-outs';
    },
  },
];
