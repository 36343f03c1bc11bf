import type { Body } from '../../../contract/calls.ts';
import type { Caller } from '../../ground/route/index.ts';
import { readFilter } from '../../traffic/messages/index.ts';
import { readDoubtFilter } from '../../traffic/outbox/doubt/index.ts';
import type { BulkActionsDeps } from './bulk-actions-deps.ts';
import { addItems, type BulkActionRow, findAction, insertAction } from './store.ts';

export const RUN_ACTION = 'bulk-actions.run';

/** Notes what is to be done; a worker does it, and goes on with it after a crash. */
export const beginAction = async (
  { db, queue }: BulkActionsDeps,
  caller: Caller,
  { ids, search, inDoubt, action, ...options }: Body<'POST /admin/bulkActions'>,
): Promise<BulkActionRow> => {
  // Checks the search now, so that its faults reach the caller and not the worker.
  if (search) await readFilter(db, caller, search);
  const filter = search
    ? { messages: search }
    : inDoubt
      ? { inDoubt: await readDoubtFilter(db, caller, inDoubt) }
      : null;
  return db.transaction().execute(async (trx) => {
    const made = await insertAction(trx, { action, askedBy: caller.accountId, options, search: filter });
    if (ids) await addItems(trx, made.id, [...new Set(ids)]);
    await queue.send(RUN_ACTION, { actionId: made.id }, { db: trx });
    return (await findAction(trx, made.id)) ?? made;
  });
};
