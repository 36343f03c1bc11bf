import { z } from 'zod';
import { accountParams } from '../../../../contract/customer/accounts.ts';
import { holdClosed } from '../../../customer/accounts/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { listChunksOfAccount } from '../waiting/chunk-store.ts';
import { CHUNKS, cancelWithin } from './cancel.ts';

const asked = z.object({ accountId: accountParams.shape.accountId });

/**
 * Cancels all waiting messages of an account, in lanes and scheduled, and refunds them. Claimed messages may have been
 * sent. A reopened account keeps what waits then. Returns how many were cancelled.
 */
export const cancelAccount = async (db: Db, data: unknown, signal: AbortSignal): Promise<number> => {
  const { accountId } = asked.parse(data);
  let cancelled = 0;
  for (;;) {
    if (signal.aborted) throw new Error('what an account has waiting is not wholly cancelled yet');
    const chunks = await listChunksOfAccount(db, accountId, CHUNKS);
    if (chunks.length === 0) return cancelled;
    const chunkIds = chunks.map(({ id }) => id);
    const count = await db.transaction().execute(async (trx) => {
      if (!(await holdClosed(trx, { accountId }))) return undefined;
      return (await cancelWithin(trx, { accountId, chunkIds, code: 'E_CANCELLED', reason: '' })).count;
    });
    if (count === undefined) return cancelled;
    cancelled += count;
  }
};
