import { randomBytes } from 'node:crypto';
import type { Decline, Verdict } from './card-provider-bank.ts';

/** The provider's objects, with the documented fields that our code may read. */
export interface Customer {
  id: string;
  object: 'customer';
  created: number;
  description: string | null;
  email: string | null;
  livemode: true;
  metadata: Record<string, string>;
  deleted?: true;
}

export interface PaymentMethod {
  id: string;
  object: 'payment_method';
  card: {
    brand: string;
    country: string;
    exp_month: number;
    exp_year: number;
    funding: string;
    last4: string;
  };
  created: number;
  customer: string | null;
  livemode: true;
  metadata: Record<string, string>;
  type: 'card';
}

type NextAction = { type: 'use_stripe_sdk'; use_stripe_sdk: { type: 'stripe_3ds2_fingerprint' } };
export const AUTHENTICATION: NextAction = {
  type: 'use_stripe_sdk',
  use_stripe_sdk: { type: 'stripe_3ds2_fingerprint' },
};

export interface SetupIntent {
  id: string;
  object: 'setup_intent';
  allowed_payment_method_types: string[] | null;
  cancellation_reason: string | null;
  client_secret: string;
  created: number;
  customer: string | null;
  last_setup_error: Record<string, unknown> | null;
  livemode: true;
  metadata: Record<string, string>;
  next_action: NextAction | null;
  payment_method: string | null;
  payment_method_types: string[];
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  usage: string;
}

export interface PaymentIntent {
  id: string;
  object: 'payment_intent';
  allowed_payment_method_types: string[] | null;
  amount: number;
  amount_capturable: number;
  amount_received: number;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: 'automatic_async';
  client_secret: string;
  confirmation_method: 'automatic';
  created: number;
  currency: string;
  customer: string | null;
  description: string | null;
  last_payment_error: Record<string, unknown> | null;
  latest_charge: string | null;
  livemode: true;
  metadata: Record<string, string>;
  next_action: NextAction | null;
  payment_method: string | null;
  payment_method_types: string[];
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'canceled';
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  captured: boolean;
  created: number;
  currency: string;
  customer: string | null;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  livemode: true;
  metadata: Record<string, string>;
  paid: boolean;
  payment_intent: string;
  payment_method: string | null;
  refunded: boolean;
  status: 'succeeded' | 'failed';
}

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: string | null;
  status: 'succeeded';
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  livemode: true;
  metadata: Record<string, string>;
  payment_intent: string;
  reason: string;
  status: 'needs_response' | 'won' | 'lost';
}

export type ProviderObject =
  | Customer
  | PaymentMethod
  | SetupIntent
  | PaymentIntent
  | Charge
  | Refund
  | Dispute;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Such as pi_3Qx…: a prefix and letters and digits. */
export const newId = (prefix: string, length = 24): string =>
  `${prefix}_${[...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

export const newCharge = (intent: PaymentIntent, decline: Decline | undefined): Charge => ({
  id: newId('ch'),
  object: 'charge',
  amount: intent.amount,
  amount_captured: decline ? 0 : intent.amount,
  amount_refunded: 0,
  captured: !decline,
  created: nowSeconds(),
  currency: intent.currency,
  customer: intent.customer,
  disputed: false,
  failure_code: decline?.code ?? null,
  failure_message: decline?.message ?? null,
  livemode: true,
  // A charge copies the metadata of its intent.
  metadata: { ...intent.metadata },
  paid: !decline,
  payment_intent: intent.id,
  payment_method: intent.payment_method,
  refunded: false,
  status: decline ? 'failed' : 'succeeded',
});

/** All that the provider remembers. */
export const newBooks = () => ({
  customers: new Map<string, Customer>(),
  methods: new Map<string, PaymentMethod>(),
  /** How the bank answers when a card is charged. */
  verdicts: new Map<string, Verdict>(),
  setups: new Map<string, SetupIntent>(),
  intents: new Map<string, PaymentIntent>(),
  charges: new Map<string, Charge>(),
  refunds: new Map<string, Refund>(),
  disputes: new Map<string, Dispute>(),
});
export type Books = ReturnType<typeof newBooks>;
