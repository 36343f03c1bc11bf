import type { MailSummary } from '../../contract/mailbox.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';

type MailId = MailSummary['_id'];

const notThere = (error: unknown) => error instanceof ApiError && [403, 404].includes(error.status);

const openMail = async (mailId: MailId) => {
  try {
    return await call('GET /mailbox/:mailId', { params: { mailId } });
  } catch (error) {
    if (notThere(error)) return undefined;
    throw error;
  }
};

/** The list and the opened mail; undefined where the program has no mailbox. */
export const loadMailbox = async (mailId?: string) => {
  try {
    const { mails } = await call('GET /mailbox');
    const listed = mails.find(({ _id }) => _id === mailId);
    return { mails, opened: listed && (await openMail(listed._id)) };
  } catch (error) {
    if (notThere(error)) return undefined;
    throw error;
  }
};
