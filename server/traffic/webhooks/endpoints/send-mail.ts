import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { compose, type Mailer } from '../../../ground/mail/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Contact } from '../webhooks-deps.ts';
import { readEndpoint } from './endpoint-store.ts';
import type { MailRequest } from './mail-request.ts';
import { webhookLetter } from './mail-texts.ts';

export interface WebhookTaskDeps {
  db: Db;
  mailer: Mailer;
  publicUrl: () => string;
  contactOf: (accountId: AccountId) => Promise<Contact | undefined>;
  log: { warn: (facts: object, message: string) => void };
}

/** Unless the endpoint works again, or its owner wants no mails. */
export const sendMail = async (
  deps: WebhookTaskDeps,
  { accountId, kind, mailId }: MailRequest,
): Promise<void> => {
  const contact = await deps.contactOf(accountId);
  const endpoint = await readEndpoint(deps.db, accountId);
  const holds = kind === 'gone' ? endpoint?.goneAt : endpoint?.failingSince;
  if (!contact?.receiveEmail || !endpoint || !holds) return;
  const publicUrl = deps.publicUrl();
  const host = URL.parse(endpoint.url)?.host ?? '';
  const result = await deps.mailer.send({
    ...compose(webhookLetter(kind, { language: contact.language, publicUrl, host })),
    to: contact.email,
    language: contact.language,
    messageId: `${mailId}@${new URL(publicUrl).hostname}`,
  });
  if (result.outcome === 'refused') deps.log.warn({ accountId, kind, reason: result.reason }, 'mail refused');
};
