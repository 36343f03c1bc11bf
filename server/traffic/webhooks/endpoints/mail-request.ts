import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { WebhooksDeps } from '../webhooks-deps.ts';

export const SEND_MAIL = 'webhooks.send-mail';

/** `failing` after failures for a while; `gone` if the receiver answered that it wants no more events. */
export const mailRequest = z.object({
  mailId: z.uuid(),
  kind: z.enum(['failing', 'gone']),
  accountId: z.custom<AccountId>((value) => typeof value === 'string'),
});
export type MailRequest = z.infer<typeof mailRequest>;
export type MailKind = MailRequest['kind'];

/** Within the transaction given, so that the mail is sent if and only if it commits. */
export const requestMail = (
  queue: WebhooksDeps['queue'],
  request: Omit<MailRequest, 'mailId'>,
  trx: Db,
): Promise<void> => queue.send(SEND_MAIL, { mailId: randomUUID(), ...request }, { db: trx });
