import type { OptOutsDeps } from './opt-outs-deps.ts';
import { insertOptOuts, type NewOptOut, type OptOutRow } from './store.ts';

/** A task of the room that holds the messages: it cancels and refunds what still waits for these recipients. */
export const CANCEL_WAITING = 'outbox.cancel-opted-out';
/**
 * A file that was being accepted when the recipient opted out becomes visible when it commits, after the first sweep;
 * so there is a second one.
 */
const LOOK_AGAIN_SECONDS = 90;

const grouped = (made: OptOutRow[]) =>
  [...Map.groupBy(made, ({ accountId, channel }) => `${accountId} ${channel}`).values()].map((rows) => ({
    accountId: rows[0]?.accountId,
    channel: rows[0]?.channel,
    recipients: rows.map(({ recipient }) => recipient),
  }));

/**
 * Opts recipients out, in the given transaction, and makes sure that what waits for them is not sent. Returns those who
 * were not opted out before.
 */
export const optOut = async ({ db, queue }: OptOutsDeps, optOuts: NewOptOut[]): Promise<OptOutRow[]> => {
  const made = await insertOptOuts(db, optOuts);
  if (made.length === 0) return made;
  const optedOut = grouped(made);
  await queue.send(CANCEL_WAITING, { optedOut }, { db });
  await queue.send(CANCEL_WAITING, { optedOut }, { db, startAfterSeconds: LOOK_AGAIN_SECONDS });
  return made;
};
