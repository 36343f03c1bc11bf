import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AccountId, InvitationId } from '../../../../contract/customer/accounts.ts';
import { LANGUAGES } from '../../../../contract/ground/constants.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { AccountsDeps } from '../accounts-deps.ts';

export const SEND_MAIL = 'accounts.send-mail';

const accountId = z.custom<AccountId>((value) => typeof value === 'string');
const invitationId = z.custom<InvitationId>((value) => typeof value === 'string');

/**
 * What the queue stores of a mail: never its token, which the worker creates when it sends. A reset contains the email
 * as it was typed, so that requesting one does the same work whether or not the email has an account.
 */
export const mailRequest = z.intersection(
  z.object({ mailId: z.uuid(), language: z.enum(LANGUAGES) }),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('activate'), accountId }),
    z.object({ kind: z.literal('already-registered'), accountId }),
    z.object({ kind: z.literal('password-changed'), accountId }),
    z.object({ kind: z.literal('closed'), accountId }),
    z.object({ kind: z.literal('reset'), email: z.string() }),
    z.object({ kind: z.literal('invitation'), invitationId }),
  ]),
);
export type MailRequest = z.infer<typeof mailRequest>;

type Unnumbered<T> = T extends unknown ? Omit<T, 'mailId'> : never;

/** Within the transaction given, so that the mail is sent if and only if it commits. */
export const requestMail = (
  queue: AccountsDeps['queue'],
  request: Unnumbered<MailRequest>,
  trx?: Db,
): Promise<void> => queue.send(SEND_MAIL, { mailId: randomUUID(), ...request }, trx && { db: trx });
