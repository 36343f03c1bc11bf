import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CardProvider, startCardProvider } from './card-provider.ts';

interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many calls, each checked where it is read.
  body: any;
}

let provider: CardProvider;
let customer: string;
let method: string;

const call = async (
  verb: string,
  path: string,
  parameters: Record<string, string> = {},
  { key, bearer = provider.secretKey }: { key?: string; bearer?: string } = {},
): Promise<Reply> => {
  const form = new URLSearchParams(parameters);
  const reply = await fetch(`${provider.url}${path}${verb === 'GET' ? `?${form}` : ''}`, {
    method: verb,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(verb === 'POST' && { body: form }),
  });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
};

/** A charge as a shop makes it; a parameter that is undefined is left out. */
const intent = (changes: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      amount: '5000',
      currency: 'hkd',
      customer,
      payment_method: method,
      confirm: 'true',
      'allowed_payment_method_types[0]': 'card',
      ...changes,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
const pay = (changes?: Record<string, string | undefined>, options?: { key?: string }) =>
  call('POST', '/v1/payment_intents', intent(changes), options);

beforeAll(async () => {
  provider = await startCardProvider();
});
afterAll(() => provider.close());
beforeEach(async () => {
  customer = (await call('POST', '/v1/customers')).body.id;
  const setup = await call('POST', '/v1/setup_intents', { customer });
  provider.confirmSetup(setup.body.client_secret, '4242424242424242');
  method = (await call('GET', `/v1/setup_intents/${setup.body.id}`)).body.payment_method;
});

describe('the emulated provider refuses', () => {
  const refusals: [what: string, changes: Record<string, string | undefined>, error: object][] = [
    ['a parameter that it does not know', { colour: 'red' }, { code: 'parameter_unknown', param: 'colour' }],
    ['no amount', { amount: undefined }, { code: 'parameter_missing', param: 'amount' }],
    ['no currency', { currency: undefined }, { code: 'parameter_missing', param: 'currency' }],
    ['half a cent', { amount: '50.5' }, { code: 'parameter_invalid_integer', param: 'amount' }],
    ['a negative amount', { amount: '-100' }, { code: 'parameter_invalid_integer', param: 'amount' }],
    ['too little in HKD', { amount: '399' }, { code: 'amount_too_small', param: 'amount' }],
    ['too little in USD', { amount: '49', currency: 'usd' }, { code: 'amount_too_small', param: 'amount' }],
    ['too much', { amount: '100000000' }, { code: 'amount_too_large', param: 'amount' }],
    ['a currency that does not exist', { currency: 'xyz' }, { param: 'currency' }],
    ['an empty value', { description: '' }, { code: 'parameter_invalid_empty', param: 'description' }],
    [
      'a customer that does not exist',
      { customer: 'cus_0' },
      { code: 'resource_missing', param: 'customer' },
    ],
    [
      'a card that does not exist',
      { payment_method: 'pm_0' },
      { code: 'resource_missing', param: 'payment_method' },
    ],
    ['metadata that is too long', { 'metadata[a]': 'x'.repeat(501) }, { param: 'metadata[a]' }],
    [
      'the payment method types of older versions',
      { 'payment_method_types[0]': 'card' },
      { code: 'payment_method_types_no_longer_supported' },
    ],
    [
      'two ways to choose payment methods',
      { 'automatic_payment_methods[enabled]': 'true' },
      { code: 'parameters_exclusive' },
    ],
    [
      'methods that may redirect, without an address to return to',
      { 'allowed_payment_method_types[0]': undefined },
      { message: expect.stringContaining('return_url') },
    ],
    [
      'an absent card holder without confirmation',
      { off_session: 'true', confirm: undefined },
      { param: 'off_session' },
    ],
  ];
  test.each(refusals)('%s', async (_, changes, error) => {
    const before = provider.books.intents.size;
    const { status, body } = await pay(changes);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.any(String),
      ...error,
    });
    expect(provider.books.intents.size).toBe(before);
  });

  test.each(['sk_test_wrong', ''])('the key %j', async (bearer) => {
    const { status, body } = await call('POST', '/v1/customers', {}, { bearer });
    expect(status).toBe(401);
    expect(body.error.type).toBe('invalid_request_error');
  });

  test('the public key where the secret one is needed', async () => {
    expect((await call('POST', '/v1/customers', {}, { bearer: provider.publishableKey })).status).toBe(401);
  });

  test('a page that does not know the client secret', async () => {
    const { body } = await call('POST', '/v1/setup_intents', { customer });
    const look = (client_secret: string) =>
      call('GET', `/v1/setup_intents/${body.id}`, { client_secret }, { bearer: provider.publishableKey });
    expect((await look(`${body.id}_secret_guessed`)).status).toBe(400);
    expect((await look(body.client_secret)).status).toBe(200);
  });

  test('a path that it does not have, and an object that is not there', async () => {
    expect((await call('GET', '/v1/moons')).status).toBe(404);
    expect((await call('GET', '/v1/payment_intents/pi_0')).body.error.code).toBe('resource_missing');
  });

  test('to charge a card that was detached', async () => {
    await call('POST', `/v1/payment_methods/${method}/detach`);
    expect((await pay()).body.error.message).toContain('detached from a Customer');
    expect((await call('POST', `/v1/payment_methods/${method}/detach`)).body.error.message).toContain(
      'not attached to a customer',
    );
  });

  test('to refund more than was paid', async () => {
    const { id } = (await pay()).body;
    const refund = (amount: string) => call('POST', '/v1/refunds', { payment_intent: id, amount });
    expect((await refund('4000')).body).toMatchObject({
      object: 'refund',
      status: 'succeeded',
      amount: 4000,
    });
    expect((await refund('2000')).status).toBe(400);
    expect((await refund('1000')).status).toBe(200);
    expect((await refund('1')).body.error.code).toBe('charge_already_refunded');
  });

  test('to cancel what is paid', async () => {
    const { id } = (await pay()).body;
    const { status, body } = await call('POST', `/v1/payment_intents/${id}/cancel`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { id, status: 'succeeded' },
    });
  });
});

describe('an idempotency key', () => {
  test('gets the first answer again', async () => {
    const key = crypto.randomUUID();
    const [first, second] = [await pay({}, { key }), await pay({}, { key })];
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('gets a decline again, even when the bank has changed its mind', async () => {
    const key = crypto.randomUUID();
    provider.decide(method, 'insufficient_funds');
    const first = await pay({}, { key });
    expect(first.status).toBe(402);
    expect(first.body.error).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      payment_intent: { status: 'requires_payment_method' },
    });
    provider.decide(method, 'approve');
    expect((await pay({}, { key })).body).toEqual(first.body);
  });

  test('is refused with other parameters', async () => {
    const key = crypto.randomUUID();
    await pay({}, { key });
    const { status, body } = await pay({ amount: '6000' }, { key });
    expect(status).toBe(400);
    expect(body.error.type).toBe('idempotency_error');
  });

  test('is free again when its request was refused before it was carried out', async () => {
    const key = crypto.randomUUID();
    expect((await pay({ amount: '1' }, { key })).status).toBe(400);
    expect((await pay({}, { key })).status).toBe(200);
  });

  test('is in use while its request is under way', async () => {
    const key = crypto.randomUUID();
    provider.plan({ kind: 'delay-request', ms: 300 });
    const slow = pay({}, { key });
    await expect.poll(() => provider.seen.at(-1)?.headers['idempotency-key']).toBe(key);
    const { status, body } = await pay({}, { key });
    expect([status, body.error.code]).toEqual([409, 'idempotency_key_in_use']);
    expect((await slow).status).toBe(200);
  });
});

describe('a lost reply', () => {
  test.each(['lose-reply', 'cut-reply'] as const)('(%s) is of a charge that was made', async (kind) => {
    const key = crypto.randomUUID();
    const before = provider.taken().length;
    provider.plan({ kind });
    await expect(pay({}, { key })).rejects.toThrow();
    expect(provider.taken()).toHaveLength(before + 1);
    expect((await pay({}, { key })).body.status).toBe('succeeded');
    expect(provider.taken()).toHaveLength(before + 1);
  });

  test('(drop) is of a charge that was not made', async () => {
    const before = provider.taken().length;
    provider.plan({ kind: 'drop' });
    await expect(pay()).rejects.toThrow();
    expect(provider.taken()).toHaveLength(before);
  });

  test('strikes only the requests that it is planned for', async () => {
    provider.plan({ kind: 'error', status: 503 }, { method: 'POST', path: /refunds/ });
    expect((await pay()).status).toBe(200);
    expect((await call('POST', '/v1/refunds')).status).toBe(503);
  });
});

describe('webhooks', () => {
  test('go out signed, again until they are taken, and as often as asked', async () => {
    const bodies: { body: string; signature: string | undefined }[] = [];
    const listener = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      bodies.push({ body, signature: String(request.headers['stripe-signature']) });
      response.writeHead(bodies.length === 1 ? 500 : 200).end();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
    provider.webhooks.sendTo(url);
    const { id } = (await pay()).body;
    await provider.webhooks.sent();
    provider.webhooks.sendTo(undefined);
    const types = bodies.map(({ body }) => JSON.parse(body).type);
    expect(types).toHaveLength(4);
    expect(new Set(types)).toEqual(
      new Set(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']),
    );
    const event = provider.webhooks.events.find(
      ({ type, data }) => type === 'payment_intent.succeeded' && data.object.id === id,
    );
    if (!event) throw new Error('no event');
    expect(await provider.webhooks.deliver(url, event, { times: 5 })).toEqual([200, 200, 200, 200, 200]);
    expect(bodies.slice(-5).every(({ body }) => JSON.parse(body).id === event.id)).toBe(true);
    expect(bodies.every(({ signature }) => /^t=\d+,v1=[0-9a-f]{64}$/.test(signature ?? ''))).toBe(true);
    listener.close();
  });
});

test.each(['/v3/', '/v3/stripe.js', '/endive/stripe.js'])('the script is served at %s', async (path) => {
  const reply = await fetch(`${provider.url}${path}`);
  expect(reply.headers.get('content-type')).toContain('javascript');
  expect(await reply.text()).toContain('window.Stripe');
});
