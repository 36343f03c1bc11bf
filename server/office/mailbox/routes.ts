import type { OpenRoutes } from '../../ground/route/index.ts';
import { openMailList, readMail } from './read-mailbox.ts';

export interface MailboxDeps {
  folder: string;
}

/** The mails of the folder that the mailbox-files provider writes to; for the 'mailbox' guard. */
export const mailboxRoutes = ({ folder }: MailboxDeps): OpenRoutes => {
  const listMails = openMailList(folder);
  return {
    'GET /mailbox': async () => ({ mails: await listMails() }),
    'GET /mailbox/:mailId': ({ params }) => readMail(folder, params.mailId),
  };
};
