import type { AccountId } from '../../../contract/customer/accounts.ts';
import { lockWallet, updateWallet } from './store.ts';
import type { SpendDeps } from './wallet-deps.ts';

/** A task of the room that keeps what waits: it holds or releases what an account has waiting. */
const HOLD_ACCOUNT = 'outbox.hold-account';

export interface Suspension {
  suspendedAt: Date | null;
  reason: string;
}

/**
 * From the commit on the account sends nothing: accepting a message locks the wallet too. What it has waiting is held,
 * or released, by the queue, because a million messages are too many for a call. Returns how it was before, and is.
 */
export const suspend = (
  { db, queue }: SpendDeps,
  { accountId, reason }: { accountId: AccountId; reason: string | null },
): Promise<{ before: Suspension; after: Suspension }> =>
  db.transaction().execute(async (trx) => {
    const wallet = await lockWallet(trx, accountId);
    const before = { suspendedAt: wallet.suspendedAt, reason: wallet.suspendedReason };
    const after =
      reason === null
        ? { suspendedAt: null, reason: '' }
        : { suspendedAt: wallet.suspendedAt ?? new Date(), reason };
    await updateWallet(trx, accountId, {
      suspended_at: after.suspendedAt,
      suspended_reason: after.reason,
    });
    await queue.send(HOLD_ACCOUNT, { accountId }, { db: trx });
    return { before, after };
  });
