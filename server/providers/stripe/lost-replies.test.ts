import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type CardProvider,
  type Fault,
  startCardProvider,
} from '../../../test/emulators/card-provider/card-provider.ts';
import { newAccount, newCharge } from '../../../test/suites/card-processor-suite.ts';
import type { CardProcessor, ChargeRequest, ConfirmedCard } from '../../customer/wallet/card-processor.ts';
import { stripeCards } from './index.ts';

const TIMEOUT_MS = 400;
const INTENTS = /^\/v1\/payment_intents$/;

describe("when Stripe's reply is lost", () => {
  let provider: CardProvider;
  let cards: CardProcessor;
  let card: ConfirmedCard;

  const takenFor = ({ paymentId }: ChargeRequest) =>
    provider.taken().filter((taken) => taken.paymentId === paymentId);
  const find = (request: ChargeRequest, createdAt = new Date()) =>
    cards.findCharge({ ...request, chargeRef: undefined, createdAt });

  beforeAll(async () => {
    provider = await startCardProvider();
    cards = stripeCards({ ...provider, apiBase: provider.url, timeoutMs: TIMEOUT_MS });
    const { clientSecret, customerRef } = await cards.beginCard(newAccount());
    const added = await cards.confirmCard(
      provider.confirmSetup(clientSecret, '4242424242424242'),
      customerRef,
    );
    if (!added) throw new Error('the card was not confirmed');
    card = added;
  });
  // The library does not repeat everything that is planned to break.
  afterEach(() => provider.calm());
  afterAll(() => provider.close());

  /** Each breaks all attempts of one call: the first and two repeats. */
  const broken: [what: string, fault: Fault, charged: boolean][] = [
    ['the connection ends after the charge', { kind: 'lose-reply' }, true],
    ['the answer breaks off after the charge', { kind: 'cut-reply' }, true],
    ['the answer comes too late', { kind: 'delay-reply', ms: TIMEOUT_MS * 2 }, true],
    ['the connection ends before the charge', { kind: 'drop' }, false],
    ['the provider has an error', { kind: 'error', status: 500 }, false],
    ['the provider is overloaded', { kind: 'error', status: 503 }, false],
    ['the provider limits us', { kind: 'error', status: 429 }, false],
  ];
  test.each(broken)('%s: unknown, and found exactly as it is', async (_, fault, charged) => {
    const request = newCharge(card);
    provider.plan(fault, { times: 3, path: INTENTS, method: 'POST' });
    const charge = await cards.charge(request);
    expect(charge).toMatchObject({ state: 'unknown', reason: expect.stringMatching(/^Stripe\w+Error: /) });
    expect(await find(request)).toEqual(
      charged ? { state: 'succeeded', chargeRef: takenFor(request)[0]?.intentId } : undefined,
    );
    expect(takenFor(request)).toHaveLength(charged ? 1 : 0);
  });

  test.each([
    { kind: 'lose-reply' },
    { kind: 'drop' },
    { kind: 'error', status: 500 },
    { kind: 'delay-reply', ms: TIMEOUT_MS * 2 },
  ] satisfies Fault[])('once (%o), the repeat is the same charge', async (fault) => {
    const request = newCharge(card);
    provider.plan(fault, { path: INTENTS, method: 'POST' });
    expect((await cards.charge(request)).state).toBe('succeeded');
    expect(takenFor(request)).toHaveLength(1);
  });

  test('a charge that is carried out after we gave up is found later, and charged no second time', async () => {
    const request = newCharge(card);
    provider.plan({ kind: 'delay-request', ms: TIMEOUT_MS * 8 }, { path: INTENTS, method: 'POST' });
    expect((await cards.charge(request)).state).toBe('unknown');
    expect(await find(request)).toBeUndefined();
    await expect.poll(() => find(request)).toMatchObject({ state: 'succeeded' });
    expect((await cards.charge(request)).state).toBe('succeeded');
    expect(takenFor(request)).toHaveLength(1);
  });

  test.each([
    ['with its card', true],
    ['without', false],
  ])('a charge that was begun, %s, but never tried is pending, and can be withdrawn', async (_, withCard) => {
    const request = newCharge(card);
    await fetch(`${provider.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${provider.secretKey}` },
      body: new URLSearchParams({
        amount: '5000',
        currency: 'hkd',
        customer: card.customerRef,
        ...(withCard && { payment_method: card.methodRef }),
        'metadata[paymentId]': request.paymentId,
      }),
    });
    const found = await find(request);
    expect(found).toEqual({ state: 'pending', chargeRef: expect.stringMatching(/^pi_/) });
    if (found?.state !== 'pending') return;
    expect(await cards.abandonCharge({ ...request, chargeRef: found.chargeRef })).toMatchObject({
      state: 'failed',
    });
  });

  test('a payment is found among hundreds of the same customer', async () => {
    const request = newCharge(card);
    await cards.charge(request);
    for (let count = 0; count < 205; count += 1) await cards.charge(newCharge(card));
    expect(await find(request)).toEqual({ state: 'succeeded', chargeRef: takenFor(request)[0]?.intentId });
  });

  test('only what was charged around the time of the payment is looked at', async () => {
    const request = newCharge(card);
    await cards.charge(request);
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    expect(await find(request, hours(0.9))).toBeDefined();
    expect(await find(request, hours(1.1))).toBeUndefined();
    expect(await find(request, hours(-24.9))).toBeDefined();
    expect(await find(request, hours(-25.1))).toBeUndefined();
  });

  test('asking fails loudly: no answer is not the answer that there is none', async () => {
    const request = newCharge(card);
    await cards.charge(request);
    provider.plan({ kind: 'error', status: 500 }, { times: 3, path: INTENTS, method: 'GET' });
    await expect(find(request)).rejects.toThrow();
  });

  test('waiting is bounded by what the processor says of itself', () => {
    expect(cards.chargeTimeoutMs).toBeGreaterThan(3 * TIMEOUT_MS);
  });
});
