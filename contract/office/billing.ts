import { z } from 'zod';
import { accountParams } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';
import { day, month } from '../ground/day.ts';
import { GLANCE_DAYS } from './office-values.ts';

const usd = (description: string) => z.number().meta({ description: `${description}, in USD.` });

const item = z.strictObject({
  kind: z.enum(['usage', 'refund']),
  displayName: z.string().meta({ description: "In the reader's language." }),
  unitPrice: usd('The price of one unit; 0 for refunds'),
  unit: z.string().meta({ description: "What is counted, in the reader's language." }),
  units: z.int(),
  deviceId: z.string().nullable().meta({ description: 'Of usage by a device of its own.' }),
  total: usd('Negative for refunds'),
});
export type BillingItem = z.infer<typeof item>;

const channelUsage = z.strictObject({ total: z.number(), items: z.array(item) });
const channelDay = z.strictObject({
  messages: z.int(),
  spent: usd('What the messages of the day cost, less what was refunded on it'),
});

/** Also the query of `GET /account/:accountId/statement.pdf`, which returns a file. */
export const monthQuery = z.object({
  date: z
    .union([month, day.transform((date) => date.slice(0, 7))])
    .optional()
    .meta({
      description: "YYYY-MM, or any day of it, in the account's time zone; the present month if not given.",
    }),
});

export const billingCalls = defineCalls({
  'GET /account/:accountId/billing': {
    summary: 'The bill of a month: messages by the price of their unit, less refunds',
    params: accountParams,
    query: monthQuery,
    reply: z.strictObject({
      date: month,
      usageInfo: z.strictObject({ sms: channelUsage, email: channelUsage, whatsapp: channelUsage }),
      billingTotal: usd('The sum of the channels'),
    }),
  },
  'GET /account/:accountId/billingDates': {
    summary: 'The months that have a bill, newest first',
    params: accountParams,
    reply: z.strictObject({ dates: z.array(month) }),
  },
  'GET /account/:accountId/billing/days': {
    summary: 'A month by day and channel',
    params: accountParams,
    query: monthQuery,
    reply: z.strictObject({
      date: month,
      days: z.array(z.strictObject({ date: day, sms: channelDay, email: channelDay, whatsapp: channelDay })),
    }),
  },
  'GET /account/:accountId/glance': {
    summary: `The last ${GLANCE_DAYS} days at a glance, today included`,
    params: accountParams,
    reply: z.strictObject({
      messages: z.int().meta({ description: 'All that ended: sent and failed together.' }),
      sent: z.int().meta({ description: 'What carriers and devices accepted, and what did not fail later.' }),
      delivered: z.int().meta({ description: 'Of those sent, what the carrier or the device confirmed.' }),
      failed: z.int().meta({ description: 'Also those whose outcome is unknown; none of those sent.' }),
      spent: usd('What the messages cost, less what was refunded'),
    }),
  },
});
