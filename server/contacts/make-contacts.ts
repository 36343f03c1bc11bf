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

/** Records whom an account met, within the given transaction. */
export const noteMeetings = async (db: Db, meetings: Meeting[]): Promise<void> => {
  if (meetings.length > 0) await writeMeetings(db, once(meetings));
};

/** Creates contacts from the next piece of accepted messages. Returns how many messages that was. */
export const makeContacts = (db: Db): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const recipients = await takeBatchRecipients(trx);
    await noteMeetings(
      trx,
      recipients.map(({ createdAt, ...addressee }) => ({ ...addressee, at: createdAt })),
    );
    return recipients.length;
  });
