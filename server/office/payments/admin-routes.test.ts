import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestWallet, webhookOf } from '../../../test/wallet.ts';
import { chargeCard, receiveProcessorEvent } from '../../customer/wallet/testing/index.ts';
import { openLog } from '../../ground/log/index.ts';
import { buildApp } from '../../http/app.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { adminPaymentRoutes } from './index.ts';

const room = await openTestWallet();
const { db, deps, provider } = room;
const { accounts } = room;
let app: FastifyInstance;
let admin: AccountId;
const PASSWORD = 'a password of an admin';

beforeAll(async () => {
  admin = await room.funded();
  await db
    .withTables<{ accounts: { id: AccountId; password_hash: string } }>()
    .updateTable('accounts')
    .set({ password_hash: await accounts.passwords.hash(PASSWORD) })
    .where('id', '=', admin)
    .execute();
  app = await buildApp({
    log: openLog({ level: 'silent' }),
    trustProxy: [],
    publicUrl: 'http://127.0.0.1:3000',
    metricsToken: undefined,
    gauges: [],
    checkReady: async () => {},
  });
  registerRoutes(app, [{ guard: 'admin', routes: adminPaymentRoutes({ accounts, wallet: deps }) }], {
    findSession: async () => ({
      accountId: admin,
      admin: true,
      role: 'owner',
      sessionHash: Buffer.alloc(32),
    }),
    findSender: async () => undefined,
    limits: accounts.limits,
  });
});
afterAll(async () => {
  await app.close();
  await room.close();
});

const call = async (method: 'GET' | 'POST', url: string, body?: object) => {
  const answer = await app.inject({
    method,
    url: `/api/admin/payments${url}`,
    headers: { authorization: 'Bearer x', 'idempotency-key': randomUUID() },
    ...(body && { payload: body }),
  });
  return { http: answer.statusCode, ...answer.json() };
};
const toppedUp = async (amount = 10) => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  const { id } = await chargeCard(deps, { accountId, cardId, amount, idempotencyKey: undefined });
  const { email } = (await deps.contactOf(accountId)) ?? { email: '' };
  return { accountId, id, email };
};
const idsOf = async (query: Record<string, string>) => {
  const { payments } = await call('GET', `?${new URLSearchParams(query)}`);
  return payments.map(({ _id }: { _id: string }) => _id);
};

test('payments of any account are found by email, digits, amount, ids, day, status and kind', async () => {
  const [one, two] = [await toppedUp(11), await toppedUp(12.5)];
  expect(await idsOf({ email: one.email })).toEqual([one.id]);
  expect(await idsOf({ email: one.email.slice(1, -2).toUpperCase() })).toEqual([one.id]);
  expect(await idsOf({ email: '%' })).toEqual([]);
  expect(await idsOf({ email: 'nobody at all' })).toEqual([]);
  expect(await idsOf({ amount: '12.50' })).toEqual([two.id]);
  expect(await idsOf({ amount: '97.5' })).toEqual([two.id]);
  expect(await idsOf({ ref: provider.refOf(one.id) })).toEqual([one.id]);
  expect(await idsOf({ ref: two.id })).toEqual([two.id]);
  expect(await idsOf({ last4: '4242', amount: '11' })).toEqual([one.id]);
  expect(await idsOf({ last4: '1111' })).toEqual([]);
  expect(await idsOf({ dateTo: '2020-01-01' })).toEqual([]);
  expect(await idsOf({ status: 'FAILED', email: one.email })).toEqual([]);
  expect(await idsOf({ type: 'TOP_UP', dateFrom: '2020-01-01', limit: '1' })).toEqual([two.id]);
  expect(await idsOf({ before: two.id, limit: '1' })).toEqual([one.id]);
  expect(await call('GET', '?amount=1,50')).toMatchObject({ http: 400, code: 'E_AMOUNT_COMMA' });
  expect(await call('GET', '?last4=42')).toMatchObject({ http: 400 });
});

test('the story of a payment has its webhooks, ledger rows, refunds and mails', async () => {
  const { accountId, id, email } = await toppedUp();
  await room.work();
  const chargeRef = provider.refOf(id);
  await receiveProcessorEvent(
    deps,
    ...webhookOf({
      kind: 'charge',
      eventId: 'evt_1',
      paymentId: id,
      charge: { state: 'succeeded', chargeRef },
    }),
  );
  expect(
    await call('POST', `/${id}/refund`, { amount: 39, reason: 'ordered twice', password: PASSWORD }),
  ).toMatchObject({ http: 200, payment: { refunded: 39, left: 39 } });
  const { payment, steps } = await call('GET', `/${id}`);
  expect(payment).toMatchObject({ accountId, email, providerId: chargeRef, provider: 'stripe', amount: 78 });
  expect(payment).not.toHaveProperty('clientSecret');
  expect(steps.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
    'ledger',
    'ledger',
    'mail',
    'payment',
    'payment',
    'refund',
    'refund',
    'webhook',
  ]);
  expect(steps).toContainEqual(expect.objectContaining({ kind: 'webhook', detail: 'evt_1' }));
  expect(steps).toContainEqual(expect.objectContaining({ kind: 'refund', detail: 'ordered twice' }));
  expect(await call('GET', `/${randomUUID()}`)).toMatchObject({ http: 404 });
});

test('a refund asks for the password, each time', async () => {
  const { id } = await toppedUp();
  const wanted = { reason: 'ordered twice' };
  expect(await call('POST', `/${id}/refund`, { ...wanted, password: 'wrong' })).toMatchObject({
    code: 'E_PASSWORD_WRONG',
  });
  expect(await call('POST', `/${id}/refund`, { ...wanted, password: '' })).toMatchObject({
    code: 'E_PASSWORD_EMPTY',
  });
  expect(await call('POST', `/${id}/refund`, wanted)).toMatchObject({ http: 400 });
  expect(provider.charges.get(id)?.refunds.size).toBe(0);
  expect(await call('POST', `/${id}/refund`, { ...wanted, password: PASSWORD })).toMatchObject({
    http: 200,
    message: 'The money goes back to the card.',
    payment: { left: 0 },
  });
});

test('reconciling says in words how the provider sees it', async () => {
  const { id } = await toppedUp();
  expect(await call('POST', `/${id}/reconcile`)).toMatchObject({
    message: 'The card provider says the same.',
  });
  provider.charges.get(id)?.refunds.set('elsewhere', 780n);
  expect(await call('POST', `/${id}/reconcile`)).toMatchObject({
    message: 'The card provider knew more: it was taken over.',
    payment: { refunded: 7.8 },
  });
});
