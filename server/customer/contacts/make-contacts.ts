import type { Db } from '../../ground/postgres/index.ts';
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

/** Records whom an account wrote to or heard from, within the given transaction. */
export const recordContacts = async (db: Db, meetings: Meeting[]): Promise<void> => {
  if (meetings.length > 0) await writeMeetings(db, once(meetings));
};

/** Takes the recipients of the next piece of accepted messages, within the transaction; none when all were taken. */
export type TakeRecipients = (trx: Db) => Promise<Meeting[]>;

/** Creates contacts from the next piece of accepted messages. Returns how many messages that was. */
export const makeContacts = (db: Db, takeRecipients: TakeRecipients): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const meetings = await takeRecipients(trx);
    await recordContacts(trx, meetings);
    return meetings.length;
  });
