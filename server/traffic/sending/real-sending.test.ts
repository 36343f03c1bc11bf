import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { changeWaiting } from '../../../test/chunks.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { suspend } from '../../customer/wallet/index.ts';
import { chargeCard } from '../../customer/wallet/testing/index.ts';
import { releaseDue } from '../outbox/testing/index.ts';
import { accept, adminLimitRoutes, prepare, readTerms, type SendingRules } from './index.ts';

const USD = 1_000_000n;
/** What a segment to Hong Kong costs. */
const PRICE = 32_051n;
const RULES: SendingRules = { approval: false, dayLimitMicros: null, newCountries: 250 };

let room: Awaited<ReturnType<typeof openTestMessages>>;
beforeAll(async () => {
  room = await openTestMessages();
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
beforeEach(async () => {
  await sql`truncate lanes cascade`.execute(room.db);
  await sql`update prices set valid_until = null`.execute(room.db);
});

const HK = '+85261112222';
const open = async (rules: Partial<SendingRules> = {}) => {
  const { send } = await room.open({ ...RULES, ...rules });
  return (accountId: AccountId, recipientRaw = HK) =>
    send({
      sender: { accountId, test: false },
      channel: 'sms',
      wanted: { recipientRaw, message: 'hello' },
      idempotencyKey: undefined,
    });
};
const sandboxTopUp = async (accountId: AccountId, amount: string) => {
  const { processor } = room.deps;
  room.deps.processor = { ...processor, name: 'sandbox' };
  const cardId = await room.addCard(accountId);
  await chargeCard(room.deps, { accountId, cardId, amount, idempotencyKey: undefined });
  room.deps.processor = processor;
};
const refused = (code: string) => ({ code });
const codesOf = async (sends: Promise<unknown>[]) => {
  const settled = await Promise.allSettled(sends);
  return settled.map((one) =>
    one.status === 'fulfilled' ? 'accepted' : (one.reason.code ?? String(one.reason)),
  );
};

test('money of test cards is spent on simulators, and on no real lane, whichever way messages come', async () => {
  const accountId = await room.funded();
  await sandboxTopUp(accountId, '10');
  await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
  await (await open())(accountId);
  expect(await room.messagesOf(accountId)).toMatchObject([{ test: true }]);

  await room.addLane({ name: 'real', channel: 'sms' });
  const balance = await room.balance(accountId);
  await expect((await open())(accountId)).rejects.toMatchObject(refused('E_SANDBOX_MONEY'));
  const deps = await room.open(RULES);
  const terms = await readTerms(deps, { accountId, channel: 'sms', test: false });
  const prepared = prepare(terms, { recipientRaw: HK, message: 'hello' });
  const facts = { accountId, channel: 'sms', kind: 'CSV', terms } as const;
  const file = { ...facts, chunks: [[prepared]] };
  await expect(accept(deps, file)).rejects.toMatchObject(refused('E_SANDBOX_MONEY'));
  const schedule = { at: new Date(Date.now() + 3_600_000), until: new Date(Date.now() + 7_200_000) };
  const later = { ...file, terms: { ...terms, schedule } };
  await expect(accept(deps, later)).rejects.toMatchObject(refused('E_SANDBOX_MONEY'));
  expect(await room.balance(accountId)).toBe(balance);

  await room.addMoney(accountId, 1);
  expect(await (await open())(accountId)).toMatchObject({ test: false });
});

test('a scheduled message that test cards paid stays with the simulators, also if a real lane comes in between', async () => {
  const accountId = await room.funded();
  await sandboxTopUp(accountId, '10');
  const simulator = await room.addLane({ name: 'simulator', channel: 'sms', simulated: true, route: 'sms' });
  const deps = await room.open(RULES);
  const at = new Date(Date.now() + 3_600_000);
  const terms = await readTerms(deps, { accountId, channel: 'sms', test: false });
  const schedule = { at, until: new Date(at.getTime() + 3_600_000) };
  const prepared = prepare(terms, { recipientRaw: HK, message: 'hello' });
  const facts = { accountId, channel: 'sms', kind: 'CSV', terms: { ...terms, schedule } } as const;
  await accept(deps, { ...facts, chunks: [[prepared]] });
  await room.addLane({ name: 'real', channel: 'sms', route: 'sms', up: true, preference: 1 });
  await changeWaiting(room.db, sql`scheduled_at = now() - interval '1 second'`, sql`true`);
  expect(await releaseDue(await room.open(RULES))).toBe(1);
  expect(await room.messagesOf(accountId)).toMatchObject([{ lane_id: simulator, test: true }]);
});

test('where an admin’s word is asked for, money is not enough', async () => {
  await room.addLane({ name: 'real', channel: 'sms' });
  const accountId = await room.funded(1);
  const rules = { ...RULES, approval: true };
  const send = await open(rules);
  await expect(send(accountId)).rejects.toMatchObject(refused('E_NOT_APPROVED'));
  expect(await room.balance(accountId)).toBe(USD);
  const routes = adminLimitRoutes({ db: room.db, rules });
  const approve = (approved: boolean) =>
    routes['POST /admin/accounts/:accountId/approval']?.({
      params: { accountId },
      body: { approved },
      changed: () => {},
    } as never);
  expect(await approve(true)).toMatchObject({ approvedAt: expect.any(String), approvalNeeded: true });
  await send(accountId);
  await approve(false);
  await expect(send(accountId)).rejects.toMatchObject(refused('E_NOT_APPROVED'));
});

test('many sends at once never exceed the day’s limit; it is told once, at 80 %', async () => {
  await room.addLane({ name: 'real', channel: 'sms' });
  const [accountId, other] = [await room.funded(50), await room.funded(50)];
  // Two programs on one database.
  const rules = { dayLimitMicros: 10n * PRICE };
  const sends = [await open(rules), await open(rules)];
  room.jobs.length = 0;
  const all = await codesOf([
    ...Array.from({ length: 40 }, (_, at) => (sends[at % 2] as (typeof sends)[0])(accountId)),
    ...Array.from({ length: 3 }, () => (sends[0] as (typeof sends)[0])(other)),
  ]);
  expect(all.filter((code) => code === 'accepted')).toHaveLength(13);
  expect(all.filter((code) => code === 'E_DAY_LIMIT')).toHaveLength(30);
  expect(await room.balance(accountId)).toBe(50n * USD - 10n * PRICE);
  expect(room.jobs.filter(({ data }) => (data as { kind?: string }).kind === 'day-limit')).toHaveLength(1);
  const [mail] = await room.work();
  expect(mail?.text).toContain('0.32051');
});

test('the limit is of a day, and an admin may give an account another', async () => {
  await room.addLane({ name: 'real', channel: 'sms' });
  const accountId = await room.funded(5);
  const rules = { ...RULES, dayLimitMicros: PRICE };
  const send = await open(rules);
  await send(accountId);
  await expect(send(accountId)).rejects.toMatchObject({ code: 'E_DAY_LIMIT', params: { limit: '0.032051' } });
  const routes = adminLimitRoutes({ db: room.db, rules });
  const put = (body: object) =>
    routes['PUT /admin/accounts/:accountId/limits']?.({
      params: { accountId },
      body,
      changed: () => {},
    } as never);
  expect(await put({ spendPerDay: 1 })).toMatchObject({
    spendPerDay: 1,
    defaults: { spendPerDay: 0.032051 },
    today: { spent: 0.032051, newCountries: 1 },
  });
  await send(accountId);
  expect(await put({ spendPerDay: null })).toMatchObject({ spendPerDay: null, today: { spent: 0.064102 } });
  await expect(send(accountId)).rejects.toMatchObject(refused('E_DAY_LIMIT'));
  // The day is over.
  await sql`alter table wallets disable trigger guard_balance`.execute(room.db);
  await sql`update wallets set spent_on = spent_on - 1`.execute(room.db);
  await sql`alter table wallets enable trigger guard_balance`.execute(room.db);
  await send(accountId);
  expect(await put({})).toMatchObject({ today: { spent: 0.032051 } });
});

test('a file that the limit does not cover is refused as a whole', async () => {
  await room.addLane({ name: 'real', channel: 'sms' });
  const accountId = await room.funded(5);
  const deps = await room.open({ ...RULES, dayLimitMicros: 3n * PRICE });
  const terms = await readTerms(deps, { accountId, channel: 'sms', test: false });
  const chunk = Array.from({ length: 4 }, () => prepare(terms, { recipientRaw: HK, message: 'hello' }));
  const file = { accountId, channel: 'sms', kind: 'CSV', terms } as const;
  await expect(accept(deps, { ...file, chunks: [chunk] })).rejects.toMatchObject(refused('E_DAY_LIMIT'));
  expect(await room.messagesOf(accountId)).toEqual([]);
  await accept(deps, { ...file, chunks: [chunk.slice(1)] });
});

test('new countries are limited in a day, also by many calls at once; known ones are not counted', async () => {
  await room.addLane({ name: 'real', channel: 'sms' });
  const accountId = await room.funded(5);
  const rules = { newCountries: 3 };
  const sends = [await open(rules), await open(rules)];
  const numbers = [HK, '+6581234567', '+8613800138000', '+15417543010', '+639171234567'];
  room.jobs.length = 0;
  const codes = await codesOf(numbers.flatMap((number) => sends.map((send) => send(accountId, number))));
  expect(codes.filter((code) => code === 'accepted')).toHaveLength(6);
  expect(codes.filter((code) => code === 'E_NEW_COUNTRIES')).toHaveLength(4);
  expect(room.jobs.filter(({ data }) => (data as { kind?: string }).kind === 'new-countries')).toHaveLength(
    1,
  );
  await sql`update sent_countries set first_at = first_at - interval '1 day'`.execute(room.db);
  const again = await codesOf(numbers.map((number) => (sends[0] as (typeof sends)[0])(accountId, number)));
  expect(again).toEqual(Array(5).fill('accepted'));
});

test('a file to too many new countries is refused as a whole, and counts none of them', async () => {
  await room.addLane({ name: 'real', channel: 'sms' });
  const accountId = await room.funded(5);
  const deps = await room.open({ ...RULES, newCountries: 1 });
  const terms = await readTerms(deps, { accountId, channel: 'sms', test: false });
  const rows = [HK, '+6581234567'].map((recipientRaw) => [
    prepare(terms, { recipientRaw, message: 'hello' }),
  ]);
  const file = { accountId, channel: 'sms', kind: 'CSV', terms } as const;
  await expect(accept(deps, { ...file, chunks: rows })).rejects.toMatchObject(refused('E_NEW_COUNTRIES'));
  await accept(deps, { ...file, chunks: rows.slice(1) });
  expect(await room.messagesOf(accountId)).toMatchObject([{ country: 'SG' }]);
});

test('simulated messages know no limit and need no word', async () => {
  await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
  const accountId = await room.funded(1);
  const send = await open({ approval: true, dayLimitMicros: 0n, newCountries: 0 });
  expect(await send(accountId)).toMatchObject({ test: true });
});

test('a suspended account sends nothing, not even a free message, and is told so', async () => {
  await room.addLane({ name: 'real', channel: 'sms' });
  const accountId = await room.funded(1);
  const send = await open(RULES);
  const change = (reason: string | null) =>
    suspend({ db: room.db, queue: room.deps.queue }, { accountId, reason });
  await change('spam');
  await expect(send(accountId)).rejects.toMatchObject(refused('E_SUSPENDED'));
  expect(await room.balance(accountId)).toBe(USD);
  await change(null);
  await send(accountId);
});
