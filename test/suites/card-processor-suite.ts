import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountId } from '../../contract/customer/accounts.ts';
import type { PaymentId } from '../../contract/customer/wallet.ts';
import type {
  CardProcessor,
  ChargeRequest,
  ChargeState,
  ConfirmedCard,
} from '../../server/customer/wallet/index.ts';

export type CardBehaviour = 'good' | 'declines' | 'authenticates' | 'settles-slowly';

/** A processor with the people around it: those who type cards and answer the bank, and with time. */
interface ProcessorUnderTest {
  processor: CardProcessor;
  /** What the embedded form does with a card of this behaviour; returns what the page sends to `POST /cards`. */
  typeCard: (clientSecret: string, behaviour: CardBehaviour) => Promise<string>;
  /** Called with each card that was added, before it is charged. */
  added?: (card: ConfirmedCard, behaviour: CardBehaviour) => void;
  /** The card holder's answer to an authentication; returns the reference that has to be stored from then on. */
  answerHolder: (charge: ChargeState & { state: 'authenticate' }, approve: boolean) => Promise<string>;
  /** Ends a slow settlement with success. */
  passTime: (chargeRef: string) => Promise<void>;
  close: () => Promise<void>;
}

export const newAccount = (): { accountId: AccountId; email: string; customerRef: string | undefined } => ({
  accountId: randomUUID() as AccountId,
  email: `${randomUUID()}@example.com`,
  customerRef: undefined,
});

export const newCharge = (
  { customerRef, methodRef }: { customerRef: string; methodRef: string },
  rest: Partial<ChargeRequest> = {},
): ChargeRequest => ({
  paymentId: randomUUID() as PaymentId,
  accountId: randomUUID() as AccountId,
  customerRef,
  methodRef,
  amountMinor: 5_000n,
  currency: 'HKD',
  description: 'Top up',
  onSession: true,
  ...rest,
});

/** The behaviour that every card processor must have. */
export const cardProcessorSuite = (name: string, make: () => Promise<ProcessorUnderTest>): void => {
  describe(`${name}, as any card processor`, () => {
    let under: ProcessorUnderTest;
    let cards: CardProcessor;
    beforeAll(async () => {
      under = await make();
      cards = under.processor;
    });
    afterAll(() => under.close());

    const addCard = async (behaviour: CardBehaviour, account = newAccount()): Promise<ConfirmedCard> => {
      const { clientSecret, customerRef } = await cards.beginCard(account);
      const card = await cards.confirmCard(await under.typeCard(clientSecret, behaviour), customerRef);
      if (!card) throw new Error('the card was not confirmed');
      under.added?.(card, behaviour);
      return card;
    };

    const find = (request: ChargeRequest, chargeRef: string | undefined) =>
      cards.findCharge({ ...request, chargeRef, createdAt: new Date() });

    const authenticating = async () => {
      const request = newCharge(await addCard('authenticates'));
      const charge = await cards.charge(request);
      if (charge.state !== 'authenticate') throw new Error(`it is ${charge.state}`);
      return { request, charge };
    };

    test('a confirmed card is known by its last four digits, brand and expiry, and by nothing more', async () => {
      const { customerRef, methodRef, ...facts } = await addCard('good');
      expect(facts).toEqual({
        last4: '4242',
        brand: 'visa',
        expMonth: expect.any(Number),
        expYear: expect.any(Number),
      });
      expect(`${customerRef} ${methodRef}`).not.toContain('42424242');
    });

    test('a form that is confirmed twice is one card', async () => {
      const { clientSecret, customerRef } = await cards.beginCard(newAccount());
      const auth = await under.typeCard(clientSecret, 'good');
      expect(await cards.confirmCard(auth, customerRef)).toEqual(await cards.confirmCard(auth, customerRef));
    });

    test("a card is not given to another account's customer", async () => {
      const [mine, other] = [newAccount(), newAccount()];
      const { clientSecret } = await cards.beginCard(mine);
      const { customerRef } = await cards.beginCard(other);
      expect(
        await cards.confirmCard(await under.typeCard(clientSecret, 'good'), customerRef),
      ).toBeUndefined();
    });

    test.each(['', 'made-up', 'seti_made0up', '../customers'])(
      'the form result %j that nobody gave is no card',
      async (auth) => {
        const { customerRef } = await cards.beginCard(newAccount());
        expect(await cards.confirmCard(auth, customerRef)).toBeUndefined();
      },
    );

    test('the secret of a form that was not filled in is no card', async () => {
      const { clientSecret, customerRef } = await cards.beginCard(newAccount());
      expect(await cards.confirmCard(clientSecret, customerRef)).toBeUndefined();
      expect(await cards.confirmCard(clientSecret.split('_secret')[0] ?? '', customerRef)).toBeUndefined();
    });

    test('an account has one customer, however often and however concurrently it begins', async () => {
      const account = newAccount();
      const begun = await Promise.all([cards.beginCard(account), cards.beginCard(account)]);
      const [customerRef] = begun.map((one) => one.customerRef);
      begun.push(await cards.beginCard({ ...account, customerRef }));
      expect(new Set(begun.map((one) => one.customerRef)).size).toBe(1);
    });

    test('a good card is charged, and later asked about it says the same', async () => {
      const request = newCharge(await addCard('good'));
      const charge = await cards.charge(request);
      expect(charge).toEqual({ state: 'succeeded', chargeRef: expect.any(String) });
      if (charge.state === 'succeeded') expect(await find(request, charge.chargeRef)).toEqual(charge);
    });

    test.each([true, false])(
      'a payment that is charged again is the first charge (on session: %s)',
      async (onSession) => {
        const request = newCharge(await addCard('good'), { onSession });
        const first = await cards.charge(request);
        expect(await Promise.all([cards.charge(request), cards.charge(request)])).toEqual([first, first]);
      },
    );

    test('a decline has a reason for the customer and leaves the card usable', async () => {
      const request = newCharge(await addCard('declines'));
      const charge = await cards.charge(request);
      expect(charge).toEqual({
        state: 'failed',
        chargeRef: expect.any(String),
        code: 'declined',
        reason: 'Your card was declined.',
        cardGone: false,
      });
      if (charge.state === 'failed') expect(await find(request, charge.chargeRef)).toEqual(charge);
    });

    test('a card that needs its holder waits for the answer', async () => {
      const { request, charge } = await authenticating();
      expect(charge.clientSecret).not.toBe('');
      expect(await find(request, charge.chargeRef)).toEqual(charge);
    });

    test('what the holder approves is paid', async () => {
      const { request, charge } = await authenticating();
      const chargeRef = await under.answerHolder(charge, true);
      expect(await find(request, chargeRef)).toEqual({ state: 'succeeded', chargeRef });
    });

    test('what the holder refuses has failed', async () => {
      const { request, charge } = await authenticating();
      const chargeRef = await under.answerHolder(charge, false);
      expect(await find(request, chargeRef)).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(/./),
      });
    });

    test('where nobody is there to answer, the charge fails at once', async () => {
      const charge = await cards.charge(newCharge(await addCard('authenticates'), { onSession: false }));
      expect(charge).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(/authenticat|confirm/),
        cardGone: false,
      });
    });

    test('a charge that waited too long is withdrawn for good', async () => {
      const { request, charge } = await authenticating();
      const abandoned = await cards.abandonCharge({ ...request, chargeRef: charge.chargeRef });
      expect(abandoned).toMatchObject({ state: 'failed', reason: expect.stringMatching(/./) });
      if (abandoned.state === 'failed') expect(await find(request, abandoned.chargeRef)).toEqual(abandoned);
    });

    test('a charge that was paid in the meantime is not withdrawn', async () => {
      const { request, charge } = await authenticating();
      const chargeRef = await under.answerHolder(charge, true);
      expect(await cards.abandonCharge({ ...request, chargeRef })).toEqual({ state: 'succeeded', chargeRef });
    });

    test('a slow settlement is pending until it is known', async () => {
      const request = newCharge(await addCard('settles-slowly'));
      const charge = await cards.charge(request);
      expect(charge.state).toBe('pending');
      if (charge.state !== 'pending') return;
      const createdAt = new Date();
      const ask = () => cards.findCharge({ ...request, chargeRef: charge.chargeRef, createdAt });
      expect(await ask()).toEqual(charge);
      await under.passTime(charge.chargeRef);
      expect(await ask()).toEqual({ state: 'succeeded', chargeRef: charge.chargeRef });
    });

    test('what was paid goes back to the card in parts, the same refund once', async () => {
      const charge = await cards.charge(newCharge(await addCard('good')));
      if (charge.state !== 'succeeded') throw new Error(`it is ${charge.state}`);
      const { chargeRef } = charge;
      const first = { refundId: randomUUID(), chargeRef, amountMinor: 2_000n, refundedMinor: 0n };
      expect(await cards.refund(first)).toEqual({ state: 'done', refundedMinor: 2_000n });
      expect(await cards.refund(first)).toEqual({ state: 'done', refundedMinor: 2_000n });
      const rest = { refundId: randomUUID(), chargeRef, amountMinor: 3_000n, refundedMinor: 2_000n };
      expect(await cards.refund(rest)).toEqual({ state: 'done', refundedMinor: 5_000n });
      expect([5_000n, undefined]).toContainEqual(await cards.findRefunded(chargeRef));
      expect(await cards.findRefunded('pi_made0up')).toBeUndefined();
    });

    test('a payment that never reached the provider is not found', async () => {
      const card = await addCard('good');
      await cards.charge(newCharge(card));
      expect(await find(newCharge(card), undefined)).toBeUndefined();
      expect(await find(newCharge(card), 'pi_made0up')).toBeUndefined();
    });

    test("another customer's card is not charged", async () => {
      const [mine, other] = [await addCard('good'), await addCard('good')];
      const charge = await cards.charge(newCharge({ ...mine, methodRef: other.methodRef }));
      expect(charge).toMatchObject({ state: 'failed', cardGone: true });
    });

    test('a card that the provider does not know is gone', async () => {
      const card = await addCard('good');
      const charge = await cards.charge(newCharge({ ...card, methodRef: 'pm_made0up' }));
      expect(charge).toMatchObject({ state: 'failed', reason: expect.stringMatching(/./), cardGone: true });
    });

    test('a card is removed, and removing it again does no harm', async () => {
      const card = await addCard('good');
      await cards.removeCard(card);
      await cards.removeCard(card);
      await cards.removeCard({ ...card, methodRef: 'pm_made0up' });
    });

    test('a message that the provider did not sign is not read', () => {
      const body = Buffer.from(
        JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded' }),
      );
      expect(cards.readEvent(body, {})).toBeUndefined();
      expect(cards.readEvent(body, { 'stripe-signature': 't=1,v1=00' })).toBeUndefined();
      expect(cards.readEvent(Buffer.alloc(0), { 'stripe-signature': ['t=1'] })).toBeUndefined();
    });
  });
};
