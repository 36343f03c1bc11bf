import { type AccountId, accountParams } from '../../../../contract/customer/accounts.ts';
import { listSuspended, readWallet } from '../../../customer/wallet/index.ts';
import type { ReleaseDeps } from '../moving/release-due.ts';
import { holdChunks, listHeldAccounts, lockHolding, releaseChunks } from './hold-store.ts';

export const HOLD_ACCOUNT = 'outbox.hold-account';

type HoldDeps = Pick<ReleaseDeps, 'db' | 'wake'>;

const holdOrRelease = ({ db, wake }: HoldDeps, accountId: AccountId): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockHolding(trx, accountId);
    if ((await readWallet(trx, accountId)).suspendedAt) return holdChunks(trx, accountId);
    const laneIds = await releaseChunks(trx, accountId);
    if (laneIds.length > 0) await wake(trx, laneIds);
  });

/**
 * What a suspended account has waiting is never due, until the account is restored. The task that runs last reads how
 * the account stands last, so the order of tasks does not matter.
 */
export const holdAccount = (deps: HoldDeps, data: unknown): Promise<void> =>
  holdOrRelease(deps, accountParams.parse(data).accountId);

/** What came back to wait while its account was being suspended, or was held while it was being restored. */
export const holdStragglers = async (deps: HoldDeps): Promise<void> => {
  const suspended = await listSuspended(deps.db);
  const restored = await listHeldAccounts(deps.db, suspended);
  for (const accountId of [...suspended, ...restored]) await holdOrRelease(deps, accountId);
};
