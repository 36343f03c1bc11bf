import type Stripe from 'stripe';
import type { PaymentId } from '../../../contract/customer/wallet.ts';
import type { Currency } from '../../../contract/ground/constants.ts';
import type { ProcessorEvent } from '../../customer/wallet/card-processor.ts';
import { stateOfIntent } from './charge-state.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The same account at the provider may also take payments that are not ours: those bear no such id. */
export const paymentIdOf = (intent: Stripe.PaymentIntent): PaymentId | undefined => {
  const id = intent.metadata.paymentId;
  return id !== undefined && UUID.test(id) ? (id as PaymentId) : undefined;
};

const CURRENCIES: Record<string, Currency> = { hkd: 'HKD', usd: 'USD' };

const refOf = (intent: string | { id: string } | null): string | undefined =>
  typeof intent === 'string' ? intent : intent?.id;

const readRefund = (eventId: string, charge: Stripe.Charge): ProcessorEvent => {
  const [chargeRef, currency] = [refOf(charge.payment_intent), CURRENCIES[charge.currency]];
  return chargeRef === undefined || currency === undefined
    ? { kind: 'ignored', eventId }
    : { kind: 'refund', eventId, chargeRef, refundedMinor: BigInt(charge.amount_refunded), currency };
};

const readDispute = (eventId: string, dispute: Stripe.Dispute, lost: boolean | undefined): ProcessorEvent => {
  const [chargeRef, currency] = [refOf(dispute.payment_intent), CURRENCIES[dispute.currency]];
  return chargeRef === undefined || currency === undefined
    ? { kind: 'ignored', eventId }
    : {
        kind: 'dispute',
        eventId,
        chargeRef,
        disputeRef: dispute.id,
        disputedMinor: BigInt(dispute.amount),
        currency,
        lost,
      };
};

/**
 * An inquiry has taken no money: if it becomes a dispute, an event reports the withdrawal
 * (https://docs.stripe.com/disputes/how-disputes-work).
 */
const isInquiry = ({ status }: Stripe.Dispute): boolean => status.startsWith('warning_');

const readFailedRefund = (eventId: string, refund: Stripe.Refund): ProcessorEvent => {
  const chargeRef = refOf(refund.payment_intent);
  return chargeRef === undefined
    ? { kind: 'ignored', eventId }
    : { kind: 'refund-failed', eventId, chargeRef };
};

const readCharge = (eventId: string, intent: Stripe.PaymentIntent): ProcessorEvent => {
  const paymentId = paymentIdOf(intent);
  return paymentId === undefined
    ? { kind: 'ignored', eventId }
    : { kind: 'charge', eventId, paymentId, charge: stateOfIntent(intent) };
};

/** An event holds its object as it stood when the event was made, not as it stands on arrival. */
export const readEvent = (event: Stripe.Event): ProcessorEvent => {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.requires_action':
    case 'payment_intent.canceled':
      return readCharge(event.id, event.data.object);
    case 'charge.refunded':
      return readRefund(event.id, event.data.object);
    case 'refund.failed':
      return readFailedRefund(event.id, event.data.object);
    case 'charge.dispute.created':
      if (isInquiry(event.data.object)) return { kind: 'ignored', eventId: event.id };
      return readDispute(event.id, event.data.object, undefined);
    case 'charge.dispute.funds_withdrawn':
      return readDispute(event.id, event.data.object, undefined);
    case 'charge.dispute.funds_reinstated':
      // Before its end, the closing decides.
      if (event.data.object.status !== 'won') return { kind: 'ignored', eventId: event.id };
      return readDispute(event.id, event.data.object, false);
    case 'charge.dispute.closed':
      if (isInquiry(event.data.object)) return { kind: 'ignored', eventId: event.id };
      // One that was prevented gave the card holder the money, too.
      return readDispute(event.id, event.data.object, event.data.object.status !== 'won');
    default:
      return { kind: 'ignored', eventId: event.id };
  }
};
