import { BULK_MOST, type BulkActionId } from '../../../contract/office/bulk-actions.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { type Db, indexOnlyTransaction, retryOnConflict } from '../../ground/postgres/index.ts';
import { readFilter, walkMessages } from '../../traffic/messages/index.ts';
import { listIdsInDoubt, resolveWithin } from '../../traffic/outbox/doubt/index.ts';
import { transferWithin } from '../../traffic/outbox/index.ts';
import type { BulkActionsDeps } from './bulk-actions-deps.ts';
import {
  addItems,
  type BulkActionRow,
  endAction,
  endGathering,
  findAction,
  type ItemOutcome,
  listOpen,
  lockAction,
  writeOutcomes,
} from './store.ts';

/** Messages of one transaction: few enough that nobody waits long for a wallet or a chunk, and progress is seen. */
const PORTION = 200;
const UNFINISHED = 'a bulk action is not finished yet';

/** Notes what a search finds before anything is changed: what is changed may no longer match it. */
const gather = async (
  { db, limitMs }: BulkActionsDeps,
  { id, askedBy, search }: BulkActionRow,
  signal: AbortSignal,
): Promise<void> => {
  if (search && 'inDoubt' in search)
    await addItems(db, id, await listIdsInDoubt(db, search.inDoubt, BULK_MOST));
  if (search && 'messages' in search) {
    // The admin who asked; whether they still are one was checked then.
    const reader = { accountId: askedBy, admin: true, sessionHash: Buffer.alloc(0) };
    const filter = await readFilter(db, reader, { ...search.messages, type: 'outgoing' });
    for await (const page of walkMessages(db, { search: filter.search, limitMs }, (row) => `${row.id}\n`)) {
      if (signal.aborted) throw new Error(UNFINISHED);
      if ((await findAction(db, id))?.state !== 'GATHERING') return;
      const found = page.trimEnd().split('\n') as MessageId[];
      if ((await addItems(db, id, found)) >= BULK_MOST) break;
    }
  }
  await endGathering(db, id);
};

const act = async (
  deps: BulkActionsDeps,
  trx: Db,
  row: BulkActionRow,
  ids: MessageId[],
): Promise<ItemOutcome[]> => {
  const { action, askedBy, options } = row;
  if (action === 'TRANSFER') {
    const { phoneName, laneId } = options;
    const to = phoneName === undefined ? laneId : { phoneName };
    const { refused } = await transferWithin(trx, { ids, to });
    const reasons = new Map(refused.map(({ id, reason }) => [id, reason]));
    return ids.map((id) => {
      const reason = reasons.get(id) ?? null;
      return { id, outcome: reason ? 'refused' : 'changed', reason };
    });
  }
  const failure = action === 'FAILED' ? options : { reason: '', errorCode: '' };
  const resolution = { to: action, by: askedBy, reason: failure.reason, code: failure.errorCode };
  const resolved = await resolveWithin({ ...deps, db: trx }, { ids, ...resolution });
  return resolved.map((one) => ({
    ...one,
    reason: one.outcome === 'refused' ? { label: `error.${one.code}` } : null,
  }));
};

/** One portion, whose outcomes are stored in the transaction that makes them. Returns whether there may be more. */
const runPortion = (deps: BulkActionsDeps, id: BulkActionId): Promise<boolean> =>
  indexOnlyTransaction(deps.db, async (trx) => {
    const row = await lockAction(trx, id);
    if (row?.state !== 'RUNNING') return false;
    const open = await listOpen(trx, id, PORTION);
    if (open.length === 0) {
      await endAction(trx, id, 'DONE');
      return false;
    }
    const ids = open.map((item) => item.id);
    await writeOutcomes(trx, id, await act(deps, trx, row, ids));
    return true;
  });

/** Goes on where it was, until it is done or stopped. */
export const runAction = async (
  deps: BulkActionsDeps,
  id: BulkActionId,
  signal: AbortSignal,
): Promise<void> => {
  const row = await findAction(deps.db, id);
  if (row?.state === 'GATHERING') await gather(deps, row, signal);
  while (await retryOnConflict(() => runPortion(deps, id))) if (signal.aborted) throw new Error(UNFINISHED);
};
