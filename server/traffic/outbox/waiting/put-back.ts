import type { Db } from '../../../ground/postgres/index.ts';
import { type Claimed, takeUncertainClaims, takeUnsent } from './claimed-store.ts';
import { waitAgain } from './wait-again.ts';

/**
 * Puts back what was certainly not handed to the carrier, as if it had not been claimed, even if another holder has
 * marked it as unknown meanwhile. A second call finds nothing to put back.
 */
export const putBack = (db: Db, holder: string, messages: Claimed[]): Promise<void> =>
  db.transaction().execute(async (trx) => waitAgain(trx, await takeUnsent(trx, holder, messages)));

/**
 * Puts back what a claim took without its answer reaching us, as when the connection broke at its commit: ours
 * by the table, but unknown to this process.
 */
export const releaseUncertainClaims = (
  db: Db,
  strays: Parameters<typeof takeUncertainClaims>[1],
): Promise<void> =>
  db.transaction().execute(async (trx) => waitAgain(trx, await takeUncertainClaims(trx, strays)));
