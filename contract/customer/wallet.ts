import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CURRENCIES } from '../ground/constants.ts';
import { day } from '../ground/day.ts';
import { typedAmount } from '../ground/typed-amount.ts';
import { accountParams } from './accounts.ts';
import { ENTRY_KINDS } from './entry-kinds.ts';

const message = z.strictObject({ message: z.string() });

export const cardId = z.uuid().brand<'CardId'>();
export type CardId = z.infer<typeof cardId>;
export const paymentId = z.uuid().brand<'PaymentId'>();
export type PaymentId = z.infer<typeof paymentId>;

export const PAYMENT_STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const;
export const PAYMENT_TYPES = ['TOP_UP', 'AUTO_TOP_UP', 'REFUND', 'DISPUTE'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** A card as the provider's customer object shows it: never more than its last four digits. */
const card = z.strictObject({
  _id: cardId,
  default: z.boolean(),
  customer: z.strictObject({
    sources: z.strictObject({
      data: z.array(
        z.strictObject({ last4: z.string(), brand: z.string(), exp_month: z.int(), exp_year: z.int() }),
      ),
    }),
  }),
});
export type Card = z.infer<typeof card>;

export const payment = z.strictObject({
  _id: paymentId,
  createdAt: z.iso.datetime(),
  currency: z.enum(CURRENCIES).meta({ description: 'What the card was charged in.' }),
  amount: z.number().meta({ description: 'In that currency.' }),
  amountUsd: z.number().meta({ description: 'What the balance gets, in USD.' }),
  status: z.enum(PAYMENT_STATUSES),
  type: z.enum(PAYMENT_TYPES),
  description: z.string(),
  reason: z.string().meta({ description: 'Why it failed; empty otherwise.' }),
  /** What the page needs to let the card holder authenticate, while the provider waits for that. */
  clientSecret: z.string().optional(),
});
export type Payment = z.infer<typeof payment>;

export const entryId = z
  .string()
  .regex(/^\d{1,18}$/)
  .brand<'EntryId'>();
export type EntryId = z.infer<typeof entryId>;

/** Also the query of `GET /account/:accountId/ledger.csv`, which returns a file. */
export const ledgerFilter = z.object({
  dateFrom: day.optional().meta({ description: "In the account's time zone." }),
  dateTo: day.optional().meta({ description: 'The last day that is included.' }),
  kind: z.enum(ENTRY_KINDS).optional(),
});
export type LedgerFilter = z.infer<typeof ledgerFilter>;
/** The parameters of `GET /account/:accountId/payments/:paymentId/receipt.pdf`, which returns a file. */
export const receiptParams = accountParams.extend({ paymentId });

const entry = z.strictObject({
  _id: entryId,
  createdAt: z.iso.datetime(),
  kind: z.enum(ENTRY_KINDS),
  amount: z.number().meta({ description: 'What the available balance gained or lost, in USD.' }),
  balance: z.number().meta({ description: 'The available balance after it, in USD.' }),
  description: z.string(),
});
export type LedgerEntry = z.infer<typeof entry>;

const idempotent = z.object({ 'idempotency-key': z.string().min(1).max(200).optional() });

/** The provider whose card form and authentication the page has to show. */
const cardForm = {
  provider: z.enum(['stripe', 'stripe-test', 'sandbox']),
  publishableKey: z.string().meta({ description: "The provider's public key; empty for the sandbox." }),
};

export const walletCalls = defineCalls({
  'GET /cards': {
    summary: 'Payment cards of the signed-in account',
    reply: z.strictObject({
      cards: z.array(card),
      topUp: z
        .strictObject({ minimum: z.number(), maximum: z.number(), hkdPerUsd: z.number() })
        .meta({ description: 'What one top-up may be, in USD, and the rate for cards charged in HKD.' }),
      ...cardForm,
    }),
  },
  'POST /cards/intent': {
    summary: 'Begin adding a card in the embedded form',
    reply: z.strictObject({ client_secret: z.string(), ...cardForm }),
  },
  'POST /cards': {
    summary: "Keep the card that the provider's form has checked",
    body: z.strictObject({ auth: z.string().min(1).max(500) }),
    reply: z.strictObject({ card, message: z.string() }),
  },
  'PUT /cards/:cardId': {
    summary: 'Make a card the default one',
    params: z.strictObject({ cardId }),
    body: z.strictObject({ default: z.literal(true) }),
    reply: message,
  },
  'DELETE /cards/:cardId': {
    summary: 'Remove a card',
    params: z.strictObject({ cardId }),
    reply: message,
  },
  'POST /cards/:cardId/charge': {
    summary:
      'Top up by a card; PENDING until the provider is known to have taken it; a refused card is an error (E_CARD_DECLINED)',
    params: z.strictObject({ cardId }),
    headers: idempotent,
    body: z.strictObject({ amount: typedAmount }),
    reply: z.strictObject({ payment, message: z.string() }),
  },
  'POST /payments/:paymentId/refresh': {
    summary: 'Ask the provider how a pending payment stands, such as after the card holder authenticated',
    params: z.strictObject({ paymentId }),
    reply: z.strictObject({ payment, message: z.string() }),
  },
  'GET /account/:accountId/payments': {
    summary: 'Payments, newest first',
    params: accountParams,
    query: z.object({
      before: paymentId.optional().meta({ description: 'The id of the last payment seen.' }),
      limit: z.coerce.number().int().min(1).max(200).optional(),
    }),
    reply: z.strictObject({ payments: z.array(payment), more: z.boolean() }),
  },
  'GET /account/:accountId/ledger': {
    summary: 'Every movement of the balance, newest first',
    params: accountParams,
    query: ledgerFilter.extend({
      before: entryId.optional().meta({ description: 'The id of the last entry seen.' }),
      limit: z.coerce.number().int().min(1).max(500).optional(),
    }),
    reply: z.strictObject({ entries: z.array(entry), more: z.boolean() }),
  },
  'POST /account/:accountId/adjustment': {
    summary: 'Adjust a balance by hand, with a reason (admin)',
    params: accountParams,
    headers: idempotent,
    body: z.strictObject({
      amount: typedAmount.meta({ description: 'In USD; negative takes away.' }),
      reason: z
        .string()
        .min(1)
        .max(500)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u)
        .meta({ description: 'One line.' }),
    }),
    reply: z.strictObject({ balance: z.number() }),
  },
  'POST /sandbox/cards/confirm': {
    summary: "The sandbox's embedded form: checks a test card (only while no card provider is set)",
    body: z.strictObject({
      client_secret: z.string().max(200),
      number: z.string().max(40),
      exp_month: z.int().min(1).max(12),
      exp_year: z.int().min(2000).max(2200),
      cvc: z.string().max(4),
    }),
    reply: z.strictObject({ auth: z.string() }),
  },
  'POST /sandbox/payments/authenticate': {
    summary: "The sandbox's authentication dialog: the card holder approves or refuses",
    body: z.strictObject({ client_secret: z.string().max(200), approve: z.boolean() }),
    reply: message,
  },
});
