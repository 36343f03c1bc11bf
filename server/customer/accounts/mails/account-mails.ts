import { z } from 'zod';
import type { AccountId, InvitationId } from '../../../../contract/customer/accounts.ts';
import { LANGUAGES } from '../../../../contract/ground/constants.ts';
import { mailRequests } from '../../../ground/mail/index.ts';

const accountId = z.custom<AccountId>((value) => typeof value === 'string');
const invitationId = z.custom<InvitationId>((value) => typeof value === 'string');

/**
 * A reset contains the email as it was typed, so that requesting one does the same work whether or not the email has
 * an account.
 */
const request = z.intersection(
  z.object({ language: z.enum(LANGUAGES) }),
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.enum(['activate', 'already-registered', 'password-changed', 'closed']),
      accountId,
    }),
    z.object({ kind: z.literal('reset'), email: z.string() }),
    z.object({ kind: z.literal('invitation'), invitationId }),
  ]),
);
export type AccountMail = z.infer<typeof request>;

export const accountMails = mailRequests({
  task: 'accounts.send-mail',
  request,
  about: ({ kind }) => ({ kind }),
  concurrency: 4,
});
