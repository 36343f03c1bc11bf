import { sql } from 'kysely';
import { z } from 'zod';
import { accountParams } from '../../contract/accounts.ts';
import { holdClosed } from '../accounts/index.ts';
import type { Db } from '../postgres/index.ts';
import { CHUNK, withdrawWithin } from './withdraw.ts';

const asked = z.object({ accountId: accountParams.shape.accountId });

/**
 * Cancels all that an account has waiting, in lanes and for later, and gives its price back. What a worker has in
 * hand may have gone out. One that was opened again keeps what waits then. Answers how many were cancelled.
 */
export const cancelAccount = async (db: Db, data: unknown, signal: AbortSignal): Promise<number> => {
  const { accountId } = asked.parse(data);
  let cancelled = 0;
  // Apart, since each has an index of its own. Of each priority, for the same reason.
  for (const which of [
    sql`lane_id in (select id from lanes) and priority in (0, 1) and account_id = ${accountId}`,
    sql`lane_id is null and account_id = ${accountId}`,
  ])
    for (;;) {
      if (signal.aborted) throw new Error('what an account has waiting is not wholly cancelled yet');
      const count = await db.transaction().execute(async (trx) => {
        if (!(await holdClosed(trx, { accountId }))) return 0;
        return (await withdrawWithin(trx, { which, code: 'E_CANCELLED', reason: '', limit: CHUNK })).count;
      });
      cancelled += count;
      if (count < CHUNK) break;
    }
  return cancelled;
};
