import { MAILBOX_TOKEN_HEADER } from '../../../contract/ground/constants.ts';
import type { MailSummary } from '../../../contract/office/mailbox.ts';
import { ApiError } from '../../ground/api/api-error.ts';
import { call } from '../../ground/api/call.ts';

type MailId = MailSummary['_id'];

const TOKEN_KEY = 'mailboxToken';

/** The link that the program prints brings the token behind a #, which no server and no log gets to see. */
export const keepMailboxToken = (hash: string): void => localStorage.setItem(TOKEN_KEY, hash);

const headers = () => ({ [MAILBOX_TOKEN_HEADER]: localStorage.getItem(TOKEN_KEY) ?? undefined });

const notThere = (error: unknown) => error instanceof ApiError && [403, 404].includes(error.status);

const openMail = async (mailId: MailId) => {
  try {
    return await call('GET /mailbox/:mailId', { params: { mailId }, headers: headers() });
  } catch (error) {
    if (notThere(error)) return undefined;
    throw error;
  }
};

/** The list and the opened mail; undefined without the token. */
export const loadMailbox = async (mailId?: string) => {
  if (localStorage.getItem(TOKEN_KEY) === null) return undefined;
  try {
    const { mails } = await call('GET /mailbox', { headers: headers() });
    const listed = mails.find(({ _id }) => _id === mailId);
    return { mails, opened: listed && (await openMail(listed._id)) };
  } catch (error) {
    if (notThere(error)) return undefined;
    throw error;
  }
};
