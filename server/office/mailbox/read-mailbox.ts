import { constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import type { MailSummary } from '../../../contract/office/mailbox.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { openConcurrencyLimit } from '../../ground/limits/index.ts';
import { isMailName, isNoMail, type MailId, mailNames } from './mail-names.ts';

const NEWEST = 200;

/** A link could lead out of the folder: it is not followed, and counts as no mail. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW;

const summaryOf = (mailId: MailId, mail: Email): MailSummary => ({
  _id: mailId,
  to: mail.to?.map(({ address }) => address).join(', ') ?? '',
  subject: mail.subject ?? '',
  createdAt: new Date(mail.date ?? 0).toISOString(),
});

const readOne = async (folder: string, mailId: MailId): Promise<Email | undefined> => {
  try {
    return await PostalMime.parse(await readFile(join(folder, mailId), { flag: FLAGS }));
  } catch (error) {
    // The operator may empty the folder while it is being read.
    if (isNoMail(error)) return undefined;
    throw error;
  }
};

const newest = (names: MailId[]): MailId[] => names.sort().reverse().slice(0, NEWEST);

const newestOf = async (folder: string): Promise<MailId[]> => {
  let found: MailId[] = [];
  for await (const name of mailNames(folder)) {
    found.push(name);
    if (found.length === 5 * NEWEST) found = newest(found);
  }
  return newest(found);
};

/**
 * Lists the mails of a folder, newest first: the names sort by time. Each is read once, because none changes, and one
 * after the other: reading a mail holds up the event loop, and the page asks again and again.
 */
export const openMailList = (folder: string): (() => Promise<MailSummary[]>) => {
  const inTurn = openConcurrencyLimit(1);
  let known = new Map<MailId, MailSummary>();
  return () =>
    inTurn(async () => {
      const read = new Map<MailId, MailSummary>();
      for (const mailId of await newestOf(folder)) {
        const mail = known.has(mailId) ? undefined : await readOne(folder, mailId);
        const summary = mail ? summaryOf(mailId, mail) : known.get(mailId);
        if (summary) read.set(mailId, summary);
      }
      known = read;
      return [...read.values()];
    });
};

export const readMail = async (folder: string, mailId: MailId) => {
  // The contract's pattern has no separators already; this holds even if it should change.
  if (!isMailName(mailId) || basename(mailId) !== mailId) throw new DomainError('E_NOT_FOUND');
  const mail = await readOne(folder, mailId);
  if (!mail) throw new DomainError('E_NOT_FOUND');
  return { ...summaryOf(mailId, mail), text: mail.text ?? '', html: mail.html ?? '' };
};
