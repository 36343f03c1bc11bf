import { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import { holdClosed } from '../accounts/index.ts';
import type { Db } from '../postgres/index.ts';
import { CHUNKS, cancelWithin } from './cancel.ts';
import { listChunksOfAccount } from './chunk-store.ts';

const asked = z.object({ accountId: accountParams.shape.accountId });

/**
 * Cancels all that an account has waiting, in lanes and for later, and gives its price back. What a worker has claimed
 * may have gone out. One that was opened again keeps what waits then. Answers how many were cancelled.
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
