import { takeBatchRecipients } from '../outbox/index.ts';
import type { Db } from '../postgres/index.ts';
import { type Meeting, writeMeetings } from './store.ts';

/** The last one of each pair counts. */
const once = (meetings: Meeting[]): Meeting[] => {
  const last = new Map<string, Meeting>();
  for (const meeting of meetings) {
    const key = `${meeting.accountId} ${meeting.recipient}`;
    const before = last.get(key);
    if (!before || before.at <= meeting.at) last.set(key, meeting);
  }
  return [...last.values()];
};

/** Whom an account met, within the transaction given. */
export const noteMeetings = async (db: Db, meetings: Meeting[]): Promise<void> => {
  if (meetings.length > 0) await writeMeetings(db, once(meetings));
};

/** Makes contacts of a piece of what was accepted and not looked at yet. Answers how many messages that was. */
export const makeContacts = (db: Db): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const recipients = await takeBatchRecipients(trx);
    await noteMeetings(
      trx,
      recipients.map(({ createdAt, ...addressee }) => ({ ...addressee, at: createdAt })),
    );
    return recipients.length;
  });
