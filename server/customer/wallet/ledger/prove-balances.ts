import type { WalletTaskDeps } from '../wallet-deps.ts';
import { compareBalances, countStrays, insertProof } from './proof-store.ts';

/**
 * Proves that the cached values equal the postings, and that every reference exists; raises an alarm if they ever
 * differ.
 */
export const proveBalances = async ({
  db,
  paid,
  log,
}: Pick<WalletTaskDeps, 'db' | 'paid' | 'log'>): Promise<void> => {
  const begun = performance.now();
  const { wallets, differing, totalMicros } = await compareBalances(db);
  const strays = await countStrays(db, paid);
  const differences = differing.length + (totalMicros === 0n ? 0 : 1) + strays.entries + strays.batches;
  await insertProof(db, { wallets, differences, durationMs: performance.now() - begun });
  if (differences > 0)
    log.error(
      { differing: differing.slice(0, 100), totalMicros: String(totalMicros), strays },
      'ALARM: balances differ from their postings',
    );
};
