import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CardProvider,
  startCardProvider,
  type Verdict,
} from '../../../test/emulators/card-provider/card-provider.ts';
import {
  type CardBehaviour,
  cardProcessorSuite,
  newAccount,
  newCharge,
} from '../../../test/suites/card-processor-suite.ts';
import type {
  CardProcessor,
  ChargeRequest,
  ConfirmedCard,
  DeclineCode,
} from '../../customer/wallet/card-processor.ts';
import { stripeCards } from './index.ts';

const NUMBERS: Record<CardBehaviour, string> = {
  good: '4242424242424242',
  declines: '4000000000000341',
  authenticates: '4000002760003184',
  'settles-slowly': '4242424242424242',
};
const TIMEOUT_MS = 400;

const connect = (provider: CardProvider, options: { secretKey?: string; timeoutMs?: number } = {}) =>
  stripeCards({
    secretKey: provider.secretKey,
    publishableKey: provider.publishableKey,
    webhookSecret: provider.webhookSecret,
    apiBase: provider.url,
    timeoutMs: TIMEOUT_MS,
    ...options,
  });

cardProcessorSuite('Stripe', async () => {
  const provider = await startCardProvider();
  return {
    processor: connect(provider, { timeoutMs: 5_000 }),
    typeCard: async (clientSecret, behaviour) => provider.confirmSetup(clientSecret, NUMBERS[behaviour]),
    added: ({ methodRef }, behaviour) => {
      if (behaviour === 'settles-slowly') provider.decide(methodRef, 'process');
    },
    answerHolder: async ({ chargeRef }, approve) => {
      provider.authenticate(chargeRef, approve);
      return chargeRef;
    },
    passTime: async (chargeRef) => provider.settle(chargeRef, 'succeed'),
    close: provider.close,
  };
});

test.each([
  ['sk_live_1', 'stripe'],
  ['rk_live_1', 'stripe'],
  ['sk_test_1', 'stripe-test'],
  ['rk_test_1', 'stripe-test'],
])('what is paid with the key %s is known as paid by %s', (secretKey, name) => {
  expect(stripeCards({ secretKey, publishableKey: 'pk', webhookSecret: 'whsec' }).name).toBe(name);
});

describe('Stripe', () => {
  let provider: CardProvider;
  let cards: CardProcessor;
  let card: ConfirmedCard;

  const addCard = async (number = NUMBERS.good): Promise<ConfirmedCard> => {
    const { clientSecret, customerRef } = await cards.beginCard(newAccount());
    const added = await cards.confirmCard(provider.confirmSetup(clientSecret, number), customerRef);
    if (!added) throw new Error('the card was not confirmed');
    return added;
  };
  const takenFor = ({ paymentId }: ChargeRequest) =>
    provider.taken().filter((taken) => taken.paymentId === paymentId);
  const find = (request: ChargeRequest) =>
    cards.findCharge({ ...request, chargeRef: undefined, createdAt: new Date() });

  beforeAll(async () => {
    provider = await startCardProvider();
    cards = connect(provider);
  });
  beforeEach(async () => {
    card = await addCard();
  });
  afterAll(() => provider.close());

  describe('asks for', () => {
    test('a card that can be charged later without its holder', async () => {
      const account = newAccount();
      await cards.beginCard(account);
      const [customer, setup] = provider.seen.slice(-2);
      expect(customer).toMatchObject({
        path: '/v1/customers',
        form: { email: account.email, metadata: { accountId: account.accountId } },
      });
      expect(setup).toMatchObject({
        path: '/v1/setup_intents',
        form: { usage: 'off_session', allowed_payment_method_types: { 0: 'card' } },
      });
    });

    test.each([
      ['USD', 'usd', 2_000n],
      ['HKD', 'hkd', 15_600n],
    ] as const)('the cents of %s, once per payment', async (currency, code, amountMinor) => {
      const request = newCharge(card, { currency, amountMinor });
      await cards.charge(request);
      expect(provider.seen.at(-1)).toMatchObject({
        method: 'POST',
        path: '/v1/payment_intents',
        headers: { 'idempotency-key': request.paymentId },
        form: {
          amount: String(amountMinor),
          currency: code,
          customer: card.customerRef,
          payment_method: card.methodRef,
          confirm: 'true',
          metadata: { paymentId: request.paymentId, accountId: request.accountId },
        },
      });
      expect(takenFor(request)).toEqual([
        expect.objectContaining({ amount: Number(amountMinor), currency: code }),
      ]);
    });

    test.each([
      [true, undefined],
      [false, 'true'],
    ])('a charge on session: %s, off_session: %s', async (onSession, offSession) => {
      await cards.charge(newCharge(card, { onSession }));
      expect(provider.seen.at(-1)?.form.off_session).toBe(offSession);
    });

    test('nothing with a card number in it', () => {
      expect(JSON.stringify(provider.seen)).not.toMatch(/4242424242424242/);
    });
  });

  describe('declines', () => {
    const declines: [Verdict, code: DeclineCode, reason: string, cardGone: boolean][] = [
      ['generic_decline', 'declined', 'Your card was declined.', false],
      ['insufficient_funds', 'insufficient-funds', 'Your card has insufficient funds.', false],
      ['lost_card', 'declined', 'Your card was declined.', true],
      ['stolen_card', 'declined', 'Your card was declined.', true],
      ['expired_card', 'expired-card', 'Your card has expired.', true],
      ['incorrect_cvc', 'incorrect-cvc', "Your card's security code is incorrect.", false],
      [
        'processing_error',
        'processing-error',
        'An error occurred while processing your card. Try again in a little bit.',
        false,
      ],
    ];
    test.each(declines)('%s: %s, %s (card gone: %s)', async (verdict, code, reason, cardGone) => {
      provider.decide(card.methodRef, verdict);
      const request = newCharge(card, { onSession: false });
      const charge = await cards.charge(request);
      expect(charge).toEqual({
        state: 'failed',
        chargeRef: expect.stringMatching(/^pi_/),
        code,
        reason,
        cardGone,
      });
      expect(await find(request)).toEqual(charge);
      expect(takenFor(request)).toEqual([]);
    });

    test('a card that asks for its holder only when there is one is charged without', async () => {
      provider.decide(card.methodRef, 'authenticate-on-session');
      expect((await cards.charge(newCharge(card, { onSession: false }))).state).toBe('succeeded');
      expect((await cards.charge(newCharge(card, { onSession: true }))).state).toBe('authenticate');
    });

    test('a slow payment that fails in the end says why', async () => {
      provider.decide(card.methodRef, 'process');
      const request = newCharge(card);
      const charge = await cards.charge(request);
      if (charge.state !== 'pending') throw new Error(`it is ${charge.state}`);
      provider.settle(charge.chargeRef, 'fail');
      expect(await find(request)).toMatchObject({ state: 'failed', reason: 'The payment failed.' });
    });

    test('an amount that is too small fails in the words of the provider', async () => {
      expect(await cards.charge(newCharge(card, { amountMinor: 399n }))).toEqual({
        state: 'failed',
        chargeRef: undefined,
        reason: 'Amount must be at least $4.00 hkd',
        cardGone: false,
      });
    });

    test('a card that was removed is gone', async () => {
      await cards.removeCard(card);
      expect(await cards.charge(newCharge(card))).toEqual({
        state: 'failed',
        chargeRef: undefined,
        code: 'card-unknown',
        reason: 'The card is no longer known to the payment provider.',
        cardGone: true,
      });
    });

    test('a payment id with another amount is never a second charge', async () => {
      const request = newCharge(card);
      await cards.charge(request);
      expect(await cards.charge({ ...request, amountMinor: 9_900n })).toMatchObject({ state: 'unknown' });
      expect(takenFor(request)).toHaveLength(1);
    });

    test('a wrong key charges nobody and is no verdict on the card', async () => {
      const stranger = connect(provider, { secretKey: 'sk_test_of_somebody_else' });
      const request = newCharge(card);
      const charge = await stranger.charge(request);
      expect(charge).toMatchObject({ state: 'unknown', reason: expect.stringContaining('Invalid API Key') });
      expect(JSON.stringify(charge)).not.toContain('sk_test_of_somebody_else');
      await expect(stranger.beginCard(newAccount())).rejects.toThrow('Invalid API Key');
    });
  });

  describe('cards', () => {
    test('a customer that was deleted at the provider is made anew', async () => {
      const account = newAccount();
      const first = await cards.beginCard(account);
      await fetch(`${provider.url}/v1/customers/${first.customerRef}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${provider.secretKey}` },
      });
      const second = await cards.beginCard({ ...account, customerRef: first.customerRef });
      expect(second.customerRef).not.toBe(first.customerRef);
      expect(provider.confirmSetup(second.clientSecret, NUMBERS.good)).toMatch(/^seti_/);
    });

    test('a reply that is lost while a customer is made makes no second one', async () => {
      provider.plan({ kind: 'lose-reply' }, { path: /customers$/ });
      const before = provider.books.customers.size;
      await cards.beginCard(newAccount());
      expect(provider.books.customers.size).toBe(before + 1);
    });

    test('a removed card is not added again by its old form', async () => {
      const { clientSecret, customerRef } = await cards.beginCard(newAccount());
      const auth = provider.confirmSetup(clientSecret, NUMBERS.good);
      const added = await cards.confirmCard(auth, customerRef);
      if (added) await cards.removeCard(added);
      expect(await cards.confirmCard(auth, customerRef)).toBeUndefined();
    });

    test('a form that its holder has not finished is no card yet', async () => {
      const { clientSecret, customerRef } = await cards.beginCard(newAccount());
      const auth = provider.confirmSetup(clientSecret, NUMBERS.good);
      const setup = provider.books.setups.get(auth);
      if (!setup) throw new Error('no setup');
      setup.status = 'requires_action';
      expect(await cards.confirmCard(auth, customerRef)).toBeUndefined();
      setup.status = 'succeeded';
      expect(await cards.confirmCard(auth, customerRef)).toBeDefined();
    });

    test('a card that the bank refused in the form is not added', async () => {
      const { clientSecret, customerRef } = await cards.beginCard(newAccount());
      expect(() => provider.confirmSetup(clientSecret, '4000000000000002')).toThrow(
        'Your card was declined.',
      );
      expect(await cards.confirmCard(clientSecret.split('_secret')[0] ?? '', customerRef)).toBeUndefined();
    });

    test('removing fails loudly when the provider is away', async () => {
      provider.plan({ kind: 'error', status: 500 }, { times: 3 });
      await expect(cards.removeCard(card)).rejects.toThrow();
    });
  });
});
