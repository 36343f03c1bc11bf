import {
  type Books,
  type Dispute,
  newId,
  nowSeconds,
  type PaymentIntent,
  type Refund,
} from './card-provider-objects.ts';
import { missing, ProviderError, type Reader } from './card-provider-request.ts';
import type { Emit } from './card-provider-setups.ts';

/** Returning money: refunds, and disputes that the card holder's bank opens. */
export const refundBook = (books: Books, emit: Emit) => ({
  refund: (read: Reader): Refund => {
    const intent = books.intents.get(read.text('payment_intent') ?? '');
    const id = read.text('charge') ?? intent?.latest_charge ?? '';
    const charge = books.charges.get(id);
    if (!charge) throw missing('charge', id, 'charge', false);
    const left = charge.amount - charge.amount_refunded;
    const amount = read.integer('amount') ?? left;
    if (left === 0)
      throw new ProviderError(400, {
        code: 'charge_already_refunded',
        message: `Charge ${id} has already been refunded.`,
      });
    if (amount < 1 || amount > left)
      throw new ProviderError(400, {
        message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
        param: 'amount',
      });
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      amount,
      charge: charge.id,
      created: nowSeconds(),
      currency: charge.currency,
      metadata: read.metadata('metadata'),
      payment_intent: charge.payment_intent,
      reason: read.text('reason') ?? null,
      status: 'succeeded',
    };
    books.refunds.set(refund.id, refund);
    emit('refund.created', refund);
    emit('charge.refunded', charge);
    return refund;
  },

  list: (read: Reader): { object: 'list'; url: string; has_more: boolean; data: Refund[] } => {
    const intent = read.text('payment_intent');
    const found = [...books.refunds.values()].filter((refund) => refund.payment_intent === intent);
    return { object: 'list', url: '/v1/refunds', has_more: false, data: found.toReversed() };
  },

  dispute: (intent: PaymentIntent, amount = intent.amount): Dispute => {
    const charge = books.charges.get(intent.latest_charge ?? '');
    if (!charge?.paid) throw new Error(`${intent.id} was not paid`);
    charge.disputed = true;
    const dispute: Dispute = {
      id: newId('du'),
      object: 'dispute',
      amount,
      charge: charge.id,
      created: nowSeconds(),
      currency: charge.currency,
      livemode: true,
      metadata: {},
      payment_intent: intent.id,
      reason: 'fraudulent',
      status: 'needs_response',
    };
    books.disputes.set(dispute.id, dispute);
    emit('charge.dispute.created', dispute);
    emit('charge.dispute.funds_withdrawn', dispute);
    return dispute;
  },

  closeDispute: (dispute: Dispute, outcome: 'won' | 'lost'): Dispute => {
    dispute.status = outcome;
    if (outcome === 'won') emit('charge.dispute.funds_reinstated', dispute);
    emit('charge.dispute.closed', dispute);
    return dispute;
  },
});
