import { z } from 'zod';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { mailRequests, type WrittenMail, writeLetter } from '../../../ground/mail/index.ts';
import type { WebhookTaskDeps } from '../webhooks-deps.ts';
import { readEndpoint } from './endpoint-store.ts';

/** `failing` after failures for a while; `gone` if the receiver answered that it wants no more events. */
const request = z.object({
  kind: z.enum(['failing', 'gone']),
  accountId: z.custom<AccountId>((value) => typeof value === 'string'),
});
type WebhookMail = z.infer<typeof request>;
export type MailKind = WebhookMail['kind'];

export const webhookMails = mailRequests({
  task: 'webhooks.send-mail',
  request,
  about: ({ kind, accountId }) => ({ kind, accountId }),
});

/** Undefined if the endpoint works again, or its owner wants no mails. */
export const writeMail = async (
  { db, contactOf, publicUrl }: WebhookTaskDeps,
  { accountId, kind }: WebhookMail,
): Promise<WrittenMail | undefined> => {
  const contact = await contactOf(accountId);
  const endpoint = await readEndpoint(db, accountId);
  const holds = kind === 'gone' ? endpoint?.goneAt : endpoint?.failingSince;
  if (!contact?.receiveEmail || !endpoint || !holds) return undefined;
  const facts = { language: contact.language, publicUrl: publicUrl() };
  const letter = writeLetter(facts, {
    subject: `mail.webhook.${kind}.subject`,
    paragraphs: [`mail.webhook.${kind}.body`],
    buttons: [['mail.webhook.button', '/dashboard/integration/events']],
    notes: [`mail.webhook.${kind}.next`, 'mail.wallet.why'],
    // The rest of the address may contain a key.
    values: { host: URL.parse(endpoint.url)?.host ?? '' },
  });
  return { to: contact.email, letter };
};
