import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../contract/customer/wallet.ts';
import type { Currency } from '../../../contract/ground/constants.ts';

/** What we may know about a card. With a real provider the number itself never reaches this program. */
interface CardFacts {
  last4: string;
  brand: string;
  expMonth: number;
  expYear: number;
}

export interface ConfirmedCard extends CardFacts {
  /** The provider's ids of the customer and the card, which later charges need. */
  customerRef: string;
  methodRef: string;
}

export interface ChargeRequest {
  /** The idempotency key towards the provider: the same payment is never charged twice. */
  paymentId: PaymentId;
  accountId: AccountId;
  customerRef: string;
  methodRef: string;
  /** In the currency's smallest unit: cents. */
  amountMinor: bigint;
  currency: Currency;
  description: string;
  /** Whether the card holder is present and can authenticate. */
  onSession: boolean;
}

/** Why a charge failed, if we have our own text for it in every language: the texts `wallet.decline.*`. */
export type DeclineCode =
  | 'declined'
  | 'insufficient-funds'
  | 'limit-exceeded'
  | 'lost-card'
  | 'expired-card'
  | 'incorrect-number'
  | 'incorrect-cvc'
  | 'not-supported'
  | 'processing-error'
  | 'authentication-required'
  | 'holder-refused'
  | 'not-confirmed'
  | 'cancelled'
  | 'card-unknown';

/**
 * The state of a charge at the provider. `succeeded` is final: an older report that arrives later changes nothing.
 * `failed` is not: a card holder may still complete a charge that once failed, and then the money was taken. `cardGone`
 * says that no later charge of this card can succeed (lost, expired, removed). `unknown` means that the reply was lost:
 * the charge may or may not have been made, so it is looked up by `findCharge`, never repeated under another key.
 */
export type ChargeState =
  | { state: 'succeeded'; chargeRef: string }
  | { state: 'pending'; chargeRef: string }
  | { state: 'authenticate'; chargeRef: string; clientSecret: string }
  | {
      state: 'failed';
      chargeRef: string | undefined;
      code?: DeclineCode | undefined;
      /** The provider's own text: shown if there is no code. */
      reason: string;
      cardGone: boolean;
    }
  | { state: 'unknown'; reason: string };

/** Whether money goes back to a card. `unknown`: the reply was lost, and the same refund is to be asked for again. */
export type RefundState =
  /** The total of all refunds of the charge so far. */
  | { state: 'done'; refundedMinor: bigint }
  | { state: 'refused'; reason: string }
  | { state: 'unknown'; reason: string };

/** A notification from the provider. Repeats and any order are normal. */
export type ProcessorEvent =
  | { kind: 'charge'; eventId: string; paymentId: PaymentId; charge: ChargeState }
  /** `refundedMinor` is the total of all refunds of the charge so far, so that repeats and any order do no harm. */
  | { kind: 'refund'; eventId: string; chargeRef: string; refundedMinor: bigint; currency: Currency }
  | {
      kind: 'dispute';
      eventId: string;
      chargeRef: string;
      /** The provider's id of the dispute: a charge may be disputed again after one was won. */
      disputeRef: string;
      disputedMinor: bigint;
      currency: Currency;
      /** Undefined while it is open; until then the provider keeps the money. */
      lost: boolean | undefined;
    }
  /** A refund that was reported before and did not reach the card after all. */
  | { kind: 'refund-failed'; eventId: string; chargeRef: string }
  | { kind: 'ignored'; eventId: string };

export type CardFormFault = 'secret' | 'number' | 'not-a-test-number' | 'expiry' | 'cvc';

/** What a provider's own form and dialog do in the browser; the sandbox implements it here, behind our routes. */
export interface SandboxForm {
  /** `auth` is what `confirmCard` takes. Only test numbers are accepted, and none is stored. */
  confirm: (form: {
    clientSecret: string;
    number: string;
    expMonth: number;
    expYear: number;
    cvc: string;
  }) => { outcome: 'confirmed'; auth: string } | { outcome: 'refused'; fault: CardFormFault };
  /**
   * The card holder's answer; undefined if the secret is wrong. The new charge reference alone contains the decision:
   * it has to replace the old one in the transaction that settles the charge.
   */
  authenticate: (answer: {
    clientSecret: string;
    approve: boolean;
  }) => { paymentId: PaymentId; charge: ChargeState } | undefined;
}

/** `stripe-test` is Stripe with keys for tests: its customers, cards and charges are unknown to the live mode. */
export type ProcessorName = 'stripe' | 'stripe-test' | 'sandbox';

/** Whether its cards are test cards: what they pay is spent on simulators only, whichever processor is set later. */
export const takesTestCards = (processor: ProcessorName): boolean => processor !== 'stripe';

/** A port for charging cards. Temporary errors (network, rate limits) throw, except where a state says otherwise. */
export interface CardProcessor {
  name: ProcessorName;
  /** The provider's public key for its form in the page; empty for the sandbox. */
  publishableKey: string;
  /** The longest that `charge` may take, with its own retries. */
  chargeTimeoutMs: number;
  /** Only the sandbox has one. */
  sandboxForm: SandboxForm | undefined;
  /**
   * Starts adding a card: the secret mounts the embedded form. Creates the provider's customer if there is none yet.
   */
  beginCard: (account: {
    accountId: AccountId;
    email: string;
    customerRef: string | undefined;
  }) => Promise<{ clientSecret: string; customerRef: string }>;
  /** Reads what the form confirmed; undefined if it is not confirmed or belongs to another customer. */
  confirmCard: (auth: string, customerRef: string) => Promise<ConfirmedCard | undefined>;
  /** Makes the provider forget the card; a card that is already gone is not an error. */
  removeCard: (card: { customerRef: string; methodRef: string }) => Promise<void>;
  charge: (request: ChargeRequest) => Promise<ChargeState>;
  /**
   * The current state of a payment's charge; undefined if the provider never saw it. That is final only if `charge` can
   * no longer be running: wait longer than `chargeTimeoutMs` since its start.
   */
  findCharge: (payment: {
    paymentId: PaymentId;
    customerRef: string;
    chargeRef: string | undefined;
    createdAt: Date;
  }) => Promise<ChargeState | undefined>;
  /** Cancels a charge that waits for the card holder; returns its state after that, which may be succeeded. */
  abandonCharge: (payment: { paymentId: PaymentId; chargeRef: string }) => Promise<ChargeState>;
  /** Gives money back to the card. `refundId` is the idempotency key: the same refund is never made twice. */
  refund: (request: {
    refundId: string;
    chargeRef: string;
    amountMinor: bigint;
    /** The amount refunded before this request; a provider that stores nothing adds to it. */
    refundedMinor: bigint;
  }) => Promise<RefundState>;
  /** The total refunded of a charge; undefined if the provider does not know the charge or stores nothing. */
  findRefunded: (chargeRef: string) => Promise<bigint | undefined>;
  /** Checks the signature of a webhook and parses it; undefined if the signature is wrong. */
  readEvent: (
    rawBody: Buffer,
    headers: Record<string, string | string[] | undefined>,
  ) => ProcessorEvent | undefined;
}
