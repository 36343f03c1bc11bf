import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../contract/customer/wallet.ts';
import { openTestWallet, webhookOf } from '../../../test/wallet.ts';
import { openLimits } from '../../ground/limits/index.ts';
import { openLog } from '../../ground/log/index.ts';
import { buildApp } from '../../http/app.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { adminWalletRoutes } from './admin-routes.ts';
import { processorWebhooks, walletFiles, walletRoutes } from './routes.ts';

const room = await openTestWallet();
let app: FastifyInstance;
let accountId: AccountId;

/** The token is the account's id; an admin's has a star, that of an admin who sees the account a question mark. */
const findSession = async (token: string) => ({
  accountId: token.replace(/[*?]$/, '') as AccountId,
  admin: token.endsWith('*'),
  ...(token.endsWith('*') && { role: 'owner' as const }),
  ...(token.endsWith('?') && {
    viewer: { adminId: token.slice(0, -1) as AccountId, mayChange: true, until: new Date() },
  }),
  sessionHash: Buffer.alloc(32),
});

beforeAll(async () => {
  accountId = await room.funded();
  app = await buildApp({
    log: openLog({ level: 'silent' }),
    trustProxy: [],
    publicUrl: 'http://127.0.0.1:3000',
    metricsToken: undefined,
    gauges: [],
    checkReady: async () => {},
  });
  const guards = {
    findSession,
    findSender: async () => undefined,
    limits: openLimits({ pool: room.pool, factor: 100 }),
  };
  const wallet = { ...room.deps, limits: guards.limits };
  registerRoutes(
    app,
    [
      { guard: 'customer', routes: walletRoutes(wallet), files: walletFiles(wallet) },
      { guard: 'admin', routes: adminWalletRoutes(wallet) },
      { guard: 'signed', webhooks: processorWebhooks(wallet) },
    ],
    guards,
  );
});
afterAll(async () => {
  await app.close();
  await room.close();
});

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, headers: object = {}) =>
  app.inject({
    method,
    url: `/api${url}`,
    headers: { authorization: accountId, ...headers },
    ...(body && { payload: body }),
  });
const toppedUp = async (): Promise<PaymentId> => {
  const cardId = await room.addCard(accountId);
  const answer = await call('POST', `/cards/${cardId}/charge`, { amount: 10 });
  return answer.json().payment._id;
};

test('the secret of a payment that waits for its card holder is theirs alone', async () => {
  const cardId = await room.addCard(accountId, 'authenticates');
  const { payment } = (await call('POST', `/cards/${cardId}/charge`, { amount: 10 })).json();
  const seen = async (authorization: string) => {
    const answer = await call('GET', `/account/${accountId}/payments`, undefined, { authorization });
    return answer.json().payments.find(({ _id }: { _id: string }) => _id === payment._id);
  };
  expect(await seen(accountId)).toMatchObject({ clientSecret: payment.clientSecret });
  expect(await seen(`${accountId}?`)).toMatchObject({ status: 'PENDING' });
  expect(await seen(`${accountId}?`)).not.toHaveProperty('clientSecret');
  const refreshed = async (authorization: string) =>
    (await call('POST', `/payments/${payment._id}/refresh`, undefined, { authorization })).json().payment;
  expect(await refreshed(accountId)).toMatchObject({ clientSecret: payment.clientSecret });
  expect(await refreshed(`${accountId}?`)).toMatchObject({ status: 'PENDING' });
  expect(await refreshed(`${accountId}?`)).not.toHaveProperty('clientSecret');
});

test('a top-up by the API pays, once per Idempotency-Key', async () => {
  const cardId = await room.addCard(accountId);
  const pay = (amount: number | string) =>
    call('POST', `/cards/${cardId}/charge`, { amount }, { 'idempotency-key': 'order-1' });
  const first = await pay(20);
  expect(first.statusCode).toBe(200);
  expect(first.json()).toMatchObject({
    message: 'Thank you! Payment made successfully.',
    payment: { status: 'SUCCESS', amountUsd: 20, amount: 156, currency: 'HKD', type: 'TOP_UP' },
  });
  expect((await pay(20)).json()).toEqual(first.json());
  expect((await pay(21)).json()).toMatchObject({ code: 'E_IDEMPOTENCY_KEY_REUSED' });
});

test('a refused card and a strange amount get an answer in words', async () => {
  const cardId = await room.addCard(accountId, 'declines');
  expect((await call('POST', `/cards/${cardId}/charge`, { amount: 10 })).json()).toMatchObject({
    code: 'E_CARD_DECLINED',
    message: 'The payment failed: Your card was declined.',
  });
  const typed = await call('POST', `/cards/${cardId}/charge`, { amount: '1,50' });
  expect(typed.statusCode).toBe(400);
  expect(typed.json().code).toBe('E_AMOUNT_COMMA');
});

test('cards are listed with what a top-up may be', async () => {
  const { cards, topUp } = (await call('GET', '/cards')).json();
  expect(cards[0].customer.sources.data[0]).toEqual({
    last4: '4242',
    brand: 'visa',
    exp_month: 12,
    exp_year: 2040,
  });
  expect(topUp).toEqual({ minimum: 6.41, maximum: 10_000, hkdPerUsd: 7.8 });
});

test('the history and the ledger are for the own account only', async () => {
  await toppedUp();
  const other = await room.funded();
  for (const list of ['payments', 'ledger', 'ledger.csv']) {
    expect((await call('GET', `/account/${accountId}/${list}`)).statusCode).toBe(200);
    expect((await call('GET', `/account/${other}/${list}`)).statusCode).toBe(404);
  }
});

test('the ledger is a CSV file, and a filter that is none is refused', async () => {
  await toppedUp();
  const file = await call('GET', `/account/${accountId}/ledger.csv?kind=TOP_UP&dateFrom=2020-01-01`);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toContain('ledger.csv');
  expect(file.body.startsWith('\uFEFFTime,')).toBe(true);
  expect(file.body).toContain('TOP_UP');
  const wrong = await call('GET', `/account/${accountId}/ledger.csv?dateFrom=yesterday`);
  expect(wrong.json().code).toBe('E_INVALID_REQUEST');
});

test('a receipt is a PDF file, for its owner only', async () => {
  const id = await toppedUp();
  const file = await call('GET', `/account/${accountId}/payments/${id}/receipt.pdf`);
  expect(file.headers['content-type']).toBe('application/pdf');
  expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  const other = await room.funded();
  const stolen = await call('GET', `/account/${other}/payments/${id}/receipt.pdf`, undefined, {
    authorization: other,
  });
  expect(stolen.statusCode).toBe(404);
  const stranger = await app.inject(`/api/account/${accountId}/payments/${id}/receipt.pdf`);
  expect(stranger.statusCode).toBe(401);
});

test('only an admin adjusts, with a reason', async () => {
  const body = { amount: 5, reason: 'goodwill' };
  expect((await call('POST', `/account/${accountId}/adjustment`, body)).statusCode).toBe(403);
  const admin = { authorization: `${accountId}*` };
  const before = Number(await room.balance(accountId)) / 1e6;
  expect((await call('POST', `/account/${accountId}/adjustment`, body, admin)).json()).toEqual({
    balance: before + 5,
  });
});

test('a webhook is taken by its signature over the very bytes', async () => {
  const cardId = await room.addCard(accountId, 'settles-slowly');
  const { payment } = (await call('POST', `/cards/${cardId}/charge`, { amount: 10 })).json();
  const [payload, headers] = webhookOf({
    kind: 'charge',
    eventId: 'evt_http',
    paymentId: payment._id,
    charge: { state: 'succeeded', chargeRef: room.provider.refOf(payment._id) },
  });
  const post = (signature: string) =>
    app.inject({
      method: 'POST',
      url: '/api/webhooks/stripe',
      payload,
      headers: { ...headers, signature, 'content-type': 'application/json' },
    });
  expect((await post('wrong')).statusCode).toBe(400);
  expect((await post('right')).json()).toEqual({ received: true });
  expect((await post('right')).statusCode).toBe(200);
  const after = await call('POST', `/payments/${payment._id}/refresh`);
  expect(after.json().payment.status).toBe('SUCCESS');
});

test('stolen numbers can not be tried out without end: charges are counted per account', async () => {
  const strict = openLimits({ pool: room.pool, factor: 1 });
  await Promise.allSettled(Array.from({ length: 30 }, () => strict.consume('card-account', accountId)));
  const wallet = { ...room.deps, limits: strict };
  const routes = walletRoutes(wallet)['POST /cards/intent'];
  const visit = { caller: { accountId } } as Parameters<NonNullable<typeof routes>>[0];
  await expect((async () => routes?.(visit))()).rejects.toMatchObject({ code: 'E_TOO_MANY_REQUESTS' });
});
