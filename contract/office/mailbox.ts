import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { MAILBOX_TOKEN_HEADER } from '../ground/constants.ts';

const mailId = z
  .string()
  .regex(/^[\w.-]{1,120}\.eml$/)
  .brand<'MailId'>();

const mailSummary = z.strictObject({
  _id: mailId,
  to: z.string(),
  subject: z.string(),
  createdAt: z.iso.datetime(),
});
export type MailSummary = z.infer<typeof mailSummary>;

const headers = z.object({ [MAILBOX_TOKEN_HEADER]: z.string().max(200).optional() });

/** The mailbox holds outgoing mail while no mail server is set. The token that is printed at the start opens it. */
export const mailboxCalls = defineCalls({
  'GET /mailbox': {
    summary: 'Mails kept on this machine, newest first (with the mailbox’s token)',
    headers,
    reply: z.strictObject({ mails: z.array(mailSummary) }),
  },
  'GET /mailbox/:mailId': {
    summary: 'One mail (with the mailbox’s token)',
    headers,
    params: z.strictObject({ mailId }),
    reply: mailSummary.extend({ text: z.string(), html: z.string() }),
  },
});
