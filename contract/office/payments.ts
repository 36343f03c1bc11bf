import { z } from 'zod';
import { accountId } from '../customer/accounts.ts';
import { PAYMENT_STATUSES, PAYMENT_TYPES, payment, paymentId } from '../customer/wallet.ts';
import { defineCalls } from '../ground/call.ts';
import { day } from '../ground/day.ts';
import { typedAmount } from '../ground/typed-amount.ts';

const params = z.strictObject({ paymentId });
const line = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u);

const found = payment.omit({ clientSecret: true }).extend({
  accountId,
  email: z.string(),
  card: z.strictObject({ brand: z.string(), last4: z.string() }),
  provider: z.string(),
  providerId: z.string().nullable().meta({ description: "The provider's id of the charge." }),
  refunded: z.number().meta({ description: 'What went back to the card, in the currency of the charge.' }),
  left: z.number().meta({ description: 'What can still be given back, in the currency of the charge.' }),
});

export const PAYMENT_STEPS = ['payment', 'webhook', 'ledger', 'refund', 'mail'] as const;
const step = z.strictObject({
  at: z.iso.datetime(),
  kind: z.enum(PAYMENT_STEPS),
  title: z.string(),
  detail: z.string(),
});
export type PaymentStep = z.infer<typeof step>;

/** What an admin looks for; a text that is no amount gets a clear error. */
export const paymentFilter = z.object({
  email: line.max(254).optional().meta({ description: 'A part of it.' }),
  last4: z
    .string()
    .regex(/^\d{4}$/)
    .optional()
    .meta({ description: "The card's last four digits." }),
  amount: z.string().max(60).optional().meta({ description: 'In the currency of the charge, or in USD.' }),
  ref: line.max(255).optional().meta({ description: "The payment's id, or the provider's." }),
  dateFrom: day.optional().meta({ description: "In the admin's time zone." }),
  dateTo: day.optional().meta({ description: 'The last day that is included.' }),
  status: z.enum(PAYMENT_STATUSES).optional(),
  type: z.enum(PAYMENT_TYPES).optional(),
  unsettled: z.literal('true').optional().meta({
    description: 'Only what nobody has settled for a quarter of an hour, refunds to the card included.',
  }),
});
export type PaymentFilter = z.infer<typeof paymentFilter>;

export const paymentsCalls = defineCalls({
  'GET /admin/payments': {
    summary: 'For admins: payments of any account, newest first',
    query: paymentFilter.extend({
      before: paymentId.optional(),
      limit: z.coerce.number().int().min(1).max(100).optional(),
    }),
    reply: z.strictObject({ payments: z.array(found), more: z.boolean() }),
  },
  'GET /admin/payments/:paymentId': {
    summary: 'For admins: all that is known about a payment',
    params,
    reply: z.strictObject({ payment: found, steps: z.array(step) }),
  },
  'POST /admin/payments/:paymentId/reconcile': {
    summary: 'For admins: ask the card provider how a payment stands, and take over what it knows',
    params,
    reply: z.strictObject({ payment: found, message: z.string() }),
  },
  'POST /admin/payments/:paymentId/refund': {
    summary: 'For admins: give money of a top-up back to its card and take it from the balance',
    params,
    headers: z.object({ 'idempotency-key': z.string().min(1).max(200) }),
    body: z.strictObject({
      amount: typedAmount
        .optional()
        .meta({ description: 'In the currency of the charge; all that is left without it.' }),
      reason: line.min(1).max(500).meta({ description: 'One line.' }),
      password: z.string().max(1000).meta({ description: "The admin's own." }),
    }),
    reply: z.strictObject({ payment: found, message: z.string() }),
  },
});
