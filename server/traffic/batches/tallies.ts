import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { inTime } from '../messages/index.ts';
import type { BatchRow } from './store.ts';
import { countBatches, listDueTallies, readTallies, storeTally, type Tally } from './tally-store.ts';

/** Files up to this size are counted whenever they are listed: a page of them takes a few milliseconds. */
const SMALL = 5_000;
/** A tally may be a second old for each so many messages: a page that looks often costs the database little. */
const MESSAGES_A_SECOND = 50_000;
const AT_ONCE = 20;

type Counted = Pick<BatchRow, 'id' | 'accepted'>;

const keep = async (db: Db, [tally]: Tally[]): Promise<Tally> => {
  if (!tally) throw new Error('a batch is gone');
  await storeTally(db, tally);
  return tally;
};

const isFresh = ({ countedAt }: Tally, { accepted }: Counted): boolean =>
  Date.now() - countedAt.getTime() < (accepted / MESSAGES_A_SECOND) * 1_000;

/** As of now, or of a few seconds ago if it is large. It is kept for the lists. */
export const tallyNow = async (db: Db, batch: Counted): Promise<Tally> => {
  const [known] = batch.accepted > SMALL ? await readTallies(db, [batch.id]) : [];
  return known && isFresh(known, batch)
    ? known
    : keep(db, await inTime(db, (trx) => countBatches(trx, [batch.id])));
};

/** Of a page of batches: small ones as of now, and large ones as the task last counted them. */
export const talliesOf = async (db: Db, batches: BatchRow[]): Promise<Map<BatchId, Tally>> => {
  const large = batches.filter(({ accepted }) => accepted > SMALL).map(({ id }) => id);
  const known = large.length > 0 ? await readTallies(db, large) : [];
  const small = batches.filter(({ accepted }) => accepted <= SMALL).map(({ id }) => id);
  const counted = small.length > 0 ? await inTime(db, (trx) => countBatches(trx, small)) : [];
  const tallies = new Map([...known, ...counted].map((tally) => [tally.batchId, tally]));
  // A large one that was sent within the last minute: the task has not come round yet.
  for (const batch of batches) if (!tallies.has(batch.id)) tallies.set(batch.id, await tallyNow(db, batch));
  return tallies;
};

/** Counts large files whose tally is missing or old. */
export const countDue = async (db: Db, signal: AbortSignal): Promise<void> => {
  for (const batchId of await listDueTallies(db, { above: SMALL, limit: AT_ONCE })) {
    if (signal.aborted) return;
    await keep(db, await countBatches(db, [batchId]));
  }
};
