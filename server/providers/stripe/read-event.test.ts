import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CardProvider,
  type ProviderEvent,
  startCardProvider,
} from '../../../test/emulators/card-provider/card-provider.ts';
import { newAccount, newCharge } from '../../../test/suites/card-processor-suite.ts';
import type { CardProcessor, ChargeRequest, ConfirmedCard } from '../../customer/wallet/card-processor.ts';
import { stripeCards } from './index.ts';

describe("Stripe's events", () => {
  let provider: CardProvider;
  let cards: CardProcessor;
  let card: ConfirmedCard;
  let request: ChargeRequest;

  beforeAll(async () => {
    provider = await startCardProvider();
    cards = stripeCards({ ...provider, apiBase: provider.url });
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    const { clientSecret, customerRef } = await cards.beginCard(newAccount());
    const added = await cards.confirmCard(
      provider.confirmSetup(clientSecret, '4242424242424242'),
      customerRef,
    );
    if (!added) throw new Error('the card was not confirmed');
    card = added;
    request = newCharge(card);
    provider.webhooks.events.length = 0;
  });

  const eventOf = (type: string): ProviderEvent => {
    const event = provider.webhooks.events.find((one) => one.type === type);
    if (!event) throw new Error(`no ${type}`);
    return event;
  };
  const read = (event: ProviderEvent, signing?: { secret?: string; signedAt?: number }) => {
    const { body, headers } = provider.webhooks.sign(event, signing);
    return cards.readEvent(Buffer.from(body), headers);
  };
  const chargeRef = () =>
    provider.taken().find(({ paymentId }) => paymentId === request.paymentId)?.intentId ?? '';

  test('a payment that succeeded', async () => {
    await cards.charge(request);
    const event = eventOf('payment_intent.succeeded');
    expect(read(event)).toEqual({
      kind: 'charge',
      eventId: event.id,
      paymentId: request.paymentId,
      charge: { state: 'succeeded', chargeRef: chargeRef() },
    });
  });

  test('a payment that failed, with its reason', async () => {
    provider.decide(card.methodRef, 'lost_card');
    await cards.charge(request);
    expect(read(eventOf('payment_intent.payment_failed'))).toMatchObject({
      kind: 'charge',
      paymentId: request.paymentId,
      charge: { state: 'failed', code: 'declined', reason: 'Your card was declined.', cardGone: true },
    });
  });

  test('a payment that is processing, as it stood then and not as it stands now', async () => {
    provider.decide(card.methodRef, 'process');
    const charge = await cards.charge(request);
    if (charge.state !== 'pending') throw new Error(`it is ${charge.state}`);
    provider.settle(charge.chargeRef, 'succeed');
    expect(read(eventOf('payment_intent.processing'))).toMatchObject({ charge: { state: 'pending' } });
    expect(read(eventOf('payment_intent.succeeded'))).toMatchObject({ charge: { state: 'succeeded' } });
  });

  test('a payment that waits for its holder, and its cancellation', async () => {
    provider.decide(card.methodRef, 'authenticate');
    const charge = await cards.charge(request);
    if (charge.state !== 'authenticate') throw new Error(`it is ${charge.state}`);
    await cards.abandonCharge({ ...request, chargeRef: charge.chargeRef });
    expect(read(eventOf('payment_intent.requires_action'))).toMatchObject({ charge });
    expect(read(eventOf('payment_intent.canceled'))).toMatchObject({
      charge: { state: 'failed', chargeRef: charge.chargeRef, reason: 'The payment was cancelled.' },
    });
  });

  test('refunds, as their total so far', async () => {
    await cards.charge(request);
    const refund = (amount: number) =>
      fetch(`${provider.url}/v1/refunds`, {
        method: 'POST',
        headers: { authorization: `Bearer ${provider.secretKey}` },
        body: new URLSearchParams({ payment_intent: chargeRef(), amount: String(amount) }),
      });
    await refund(1_000);
    await refund(500);
    const events = provider.webhooks.events.filter(({ type }) => type === 'charge.refunded');
    expect(events.map((event) => read(event))).toEqual(
      [1_000n, 1_500n].map((refundedMinor) => ({
        kind: 'refund',
        eventId: expect.stringMatching(/^evt_/),
        chargeRef: chargeRef(),
        refundedMinor,
        currency: 'HKD',
      })),
    );
  });

  test.each([
    ['lost', true],
    ['won', false],
  ] as const)('a dispute and its end: %s', async (outcome, lost) => {
    await cards.charge(request);
    const disputeRef = provider.dispute(chargeRef(), 3_000);
    provider.closeDispute(disputeRef, outcome);
    const told = { chargeRef: chargeRef(), disputeRef, disputedMinor: 3_000n, currency: 'HKD' };
    const dispute = { kind: 'dispute', ...told };
    for (const opening of ['charge.dispute.created', 'charge.dispute.funds_withdrawn'])
      expect(read(eventOf(opening))).toMatchObject({ ...dispute, lost: undefined });
    if (!lost)
      expect(read(eventOf('charge.dispute.funds_reinstated'))).toMatchObject({ ...dispute, lost: false });
    expect(read(eventOf('charge.dispute.closed'))).toMatchObject({ ...dispute, lost });
  });

  const withStatus = (event: ProviderEvent, status: string): ProviderEvent => {
    const changed = structuredClone(event);
    Object.assign(changed.data.object, { status });
    return changed;
  };

  test('an inquiry takes no money until the funds are withdrawn', async () => {
    await cards.charge(request);
    provider.closeDispute(provider.dispute(chargeRef()), 'won');
    const ignored = { kind: 'ignored' };
    for (const status of ['warning_needs_response', 'warning_under_review'])
      expect(read(withStatus(eventOf('charge.dispute.created'), status))).toMatchObject(ignored);
    expect(read(withStatus(eventOf('charge.dispute.closed'), 'warning_closed'))).toMatchObject(ignored);
    expect(read(eventOf('charge.dispute.funds_withdrawn'))).toMatchObject({
      kind: 'dispute',
      lost: undefined,
    });
  });

  test('funds that return before the end of a dispute, and one that was prevented', async () => {
    await cards.charge(request);
    provider.closeDispute(provider.dispute(chargeRef()), 'won');
    expect(read(withStatus(eventOf('charge.dispute.funds_reinstated'), 'appeal_under_review'))).toMatchObject(
      { kind: 'ignored' },
    );
    expect(read(withStatus(eventOf('charge.dispute.closed'), 'prevented'))).toMatchObject({ lost: true });
  });

  test('a refund that failed', async () => {
    await cards.charge(request);
    await fetch(`${provider.url}/v1/refunds`, {
      method: 'POST',
      headers: { authorization: `Bearer ${provider.secretKey}` },
      body: new URLSearchParams({ payment_intent: chargeRef() }),
    });
    const event = withStatus({ ...eventOf('refund.created'), type: 'refund.failed' }, 'failed');
    expect(read(event)).toEqual({ kind: 'refund-failed', eventId: event.id, chargeRef: chargeRef() });
  });

  test('everything else is ignored', async () => {
    await cards.charge(request);
    for (const type of ['payment_intent.created', 'charge.succeeded'])
      expect(read(eventOf(type))).toEqual({ kind: 'ignored', eventId: eventOf(type).id });
  });

  test.each([
    ['no payment id', {}],
    ['a payment id that is not ours', { paymentId: 'order 66' }],
  ])("somebody else's payment on the same account is ignored: %s", async (_, metadata) => {
    await cards.charge(request);
    const event = structuredClone(eventOf('payment_intent.succeeded'));
    if (event.data.object.object === 'payment_intent') event.data.object.metadata = metadata;
    expect(read(event)).toEqual({ kind: 'ignored', eventId: event.id });
  });

  test('an event in another currency is ignored', async () => {
    await cards.charge(request);
    provider.dispute(chargeRef());
    const event = structuredClone(eventOf('charge.dispute.created'));
    if (event.data.object.object === 'dispute') event.data.object.currency = 'eur';
    expect(read(event)).toMatchObject({ kind: 'ignored' });
  });

  describe('are not read', () => {
    const seconds = () => Math.floor(Date.now() / 1000);
    test.each([
      ['with a signature of another secret', () => ({ secret: 'whsec_of_somebody_else' })],
      ['older than five minutes', () => ({ signedAt: seconds() - 310 })],
    ])('%s', async (_, signing) => {
      await cards.charge(request);
      expect(read(eventOf('payment_intent.succeeded'), signing())).toBeUndefined();
      expect(read(eventOf('payment_intent.succeeded'), { signedAt: seconds() - 290 })).toBeDefined();
    });

    test('when a byte was changed on the way', async () => {
      await cards.charge(request);
      const { body, headers } = provider.webhooks.sign(eventOf('payment_intent.succeeded'));
      expect(cards.readEvent(Buffer.from(body), headers)).toBeDefined();
      expect(cards.readEvent(Buffer.from(body.replace('5000', '9000')), headers)).toBeUndefined();
    });
  });
});
