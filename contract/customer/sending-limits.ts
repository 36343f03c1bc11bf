import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { accountParams } from './accounts.ts';

/** What an account needs to send for real, besides money. */
export const REAL_SENDING = ['paid', 'approved'] as const;

const limits = z.strictObject({
  approvedAt: z.iso.datetime().nullable().meta({ description: 'When an admin gave their word; null: not.' }),
  approvalNeeded: z.boolean(),
  spendPerDay: z
    .number()
    .nullable()
    .meta({ description: 'In USD, for real messages, from midnight UTC; null: the default.' }),
  newCountriesPerDay: z
    .int()
    .nullable()
    .meta({ description: 'Countries that it may write to for the first time; null: the default.' }),
  defaults: z.strictObject({ spendPerDay: z.number().nullable(), newCountriesPerDay: z.int().nullable() }),
  today: z.strictObject({ spent: z.number(), newCountries: z.int() }),
});

export const sendingLimitCalls = defineCalls({
  'GET /admin/accounts/:accountId/limits': {
    summary: 'What an account may spend a day, and what of it is used (admin)',
    params: accountParams,
    reply: limits,
  },
  'PUT /admin/accounts/:accountId/limits': {
    summary: "Change an account's limits: null for the default, absent for no change (admin)",
    params: accountParams,
    body: z.strictObject({
      spendPerDay: z.number().min(0).max(1_000_000).multipleOf(0.01).nullable().optional(),
      newCountriesPerDay: z.int().min(0).max(250).nullable().optional(),
    }),
    reply: limits,
  },
  'POST /admin/accounts/:accountId/approval': {
    summary: 'Approve an account for real sending, or take that back (admin)',
    params: accountParams,
    body: z.strictObject({ approved: z.boolean() }),
    reply: limits,
  },
});
