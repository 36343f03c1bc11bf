import { z } from 'zod';
import { accountId, accountParams } from '../customer/accounts.ts';
import { ACCOUNT_STATES } from '../customer/customer-states.ts';
import { defineCalls } from '../ground/call.ts';

const reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)
  .meta({ description: 'One line.' });

const customer = z.strictObject({
  _id: accountId,
  email: z.string(),
  state: z.enum(ACCOUNT_STATES),
  admin: z.boolean(),
  balance: z.number().meta({ description: 'In USD.' }),
  spentToday: z.number().meta({ description: 'In USD on real messages, from midnight UTC.' }),
  spent30Days: z.number().meta({ description: 'In USD, without what was given back.' }),
  spendPerDay: z.number().nullable().meta({ description: "Its own limit in USD; null: the operator's." }),
  newCountriesPerDay: z.int().nullable(),
  senders: z.int().meta({ description: 'Numbers, names, addresses and domains that it may send as.' }),
  createdAt: z.iso.datetime(),
  suspendedAt: z.iso.datetime().nullable(),
  suspendedReason: z.string(),
  webhookFailingSince: z.iso.datetime().nullable().meta({ description: 'Null also if it has no webhook.' }),
});
export type Customer = z.infer<typeof customer>;

const ok = z.strictObject({ message: z.string() });

export const customerCalls = defineCalls({
  'GET /admin/accounts': {
    summary: 'Accounts with balance, state and spending, newest first (admin)',
    query: z.object({
      keyword: z
        .string()
        .trim()
        .max(254)
        .optional()
        .meta({ description: 'A part of the email, or the whole id.' }),
      state: z.enum(ACCOUNT_STATES).optional(),
      webhook: z.literal('failing').optional().meta({ description: 'Only those whose webhook fails.' }),
      before: accountId.optional().meta({ description: 'The last one that was seen.' }),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    reply: z.strictObject({ accounts: z.array(customer), more: z.boolean() }),
  },
  'POST /admin/accounts/:accountId/suspension': {
    summary: 'Suspend an account: it may not send, and what waits is held (admin)',
    params: accountParams,
    body: z.strictObject({ reason }),
    reply: ok,
  },
  'DELETE /admin/accounts/:accountId/suspension': {
    summary: 'Restore a suspended account: what was held goes out (admin)',
    params: accountParams,
    reply: ok,
  },
  'POST /admin/accounts/:accountId/activationMail': {
    summary: 'Send the activation mail again (admin)',
    params: accountParams,
    reply: ok,
  },
  'POST /admin/accounts/:accountId/view': {
    summary: 'See an account as its owner sees it, for a short time; its owner is told (admin)',
    params: accountParams,
    body: z.strictObject({
      reason,
      password: z
        .string()
        .max(1000)
        .optional()
        .meta({ description: "The admin's own: with it, things can also be changed." }),
    }),
    reply: z.strictObject({
      token: z.string(),
      email: z.string(),
      mayChange: z.boolean(),
      until: z.iso.datetime(),
    }),
  },
});
