import { z } from 'zod';
import { defineCalls } from './call.ts';

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

/** The mailbox holds outgoing mail while no mail server is set. It can be opened on the local machine only. */
export const mailboxCalls = defineCalls({
  'GET /mailbox': {
    summary: 'Mails kept on this machine, newest first (local machine only)',
    reply: z.strictObject({ mails: z.array(mailSummary) }),
  },
  'GET /mailbox/:mailId': {
    summary: 'One mail (local machine only)',
    params: z.strictObject({ mailId }),
    reply: mailSummary.extend({ text: z.string(), html: z.string() }),
  },
});
