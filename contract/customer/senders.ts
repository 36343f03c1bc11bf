import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { accountId, accountParams } from './accounts.ts';

export const SENDER_KINDS = ['number', 'name', 'address', 'domain'] as const;
export type SenderKind = (typeof SENDER_KINDS)[number];

const senderId = z
  .string()
  .regex(/^[1-9]\d{0,17}$/)
  .brand<'SenderId'>();
export type SenderId = z.infer<typeof senderId>;
const senderParams = accountParams.extend({ senderId });

export const SENDER_MAX_LENGTH = 320;
/** As many as an account may add itself. */
export const MOST_OWN_SENDERS = 100;

const sender = z.strictObject({
  _id: senderId,
  channel: z.enum(CHANNELS),
  kind: z.enum(SENDER_KINDS),
  sender: z.string().meta({ description: 'A number, a name, an email address or a domain.' }),
  verified: z.boolean().meta({ description: 'Whether messages may be sent from it.' }),
  given: z.boolean().meta({ description: 'The operator gave it; it can not be removed here.' }),
  createdAt: z.iso.datetime(),
  record: z
    .strictObject({ name: z.string(), value: z.string() })
    .nullable()
    .meta({ description: 'The TXT record that proves a domain; null for anything else.' }),
});
export type SenderView = z.infer<typeof sender>;

const adminSender = sender.omit({ record: true }).extend({ accountId });

export const senderCalls = defineCalls({
  'GET /account/:accountId/senders': {
    summary: 'Whom the account may send as, and what is not verified yet',
    params: accountParams,
    reply: z.strictObject({ senders: z.array(sender) }),
  },
  'POST /account/:accountId/senders': {
    summary:
      'Add an email address, which gets a code by mail, or a domain. Added again, an address gets another code',
    params: accountParams,
    body: z.strictObject({ sender: z.string().max(SENDER_MAX_LENGTH) }),
    reply: z.strictObject({ message: z.string(), sender }),
  },
  'POST /account/:accountId/senders/:senderId/verify': {
    summary: 'Prove an address by the code that it got, or have the DNS record of a domain looked up',
    params: senderParams,
    body: z.strictObject({ code: z.string().max(40).optional() }),
    reply: z.strictObject({ message: z.string(), sender }),
  },
  'DELETE /account/:accountId/senders/:senderId': {
    summary: 'Remove an address or a domain that the account added',
    params: senderParams,
    reply: z.strictObject({ message: z.string() }),
  },
  'GET /admin/senders': {
    summary: 'The senders of all accounts or of one, newest first (admin)',
    query: z.strictObject({
      accountId: accountId.optional(),
      keyword: z
        .string()
        .max(SENDER_MAX_LENGTH)
        .optional()
        .meta({ description: 'Part of the number, name, address or domain.' }),
      before: senderId.optional().meta({ description: 'The last one of the page before.' }),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.strictObject({ senders: z.array(adminSender), more: z.boolean() }),
  },
  'POST /admin/senders': {
    summary: 'Give an account a number, a name, an email address or a domain to send as (admin)',
    body: z.strictObject({
      accountId,
      channel: z.enum(CHANNELS),
      sender: z.string().max(SENDER_MAX_LENGTH),
    }),
    reply: z.strictObject({ sender: adminSender }),
  },
  'DELETE /admin/senders/:senderId': {
    summary: 'Take a sender away from its account (admin)',
    params: z.strictObject({ senderId }),
    reply: z.strictObject({ status: z.literal('ok') }),
  },
});
