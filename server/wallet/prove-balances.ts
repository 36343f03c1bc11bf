import { compareBalances, insertProof } from './proof-store.ts';
import type { WalletDeps } from './wallet-deps.ts';

/** Proves that what is cached equals the postings; raises the alarm when it ever differs. */
export const proveBalances = async ({ db, log }: Pick<WalletDeps, 'db' | 'log'>): Promise<void> => {
  const begun = performance.now();
  const { wallets, differing, totalMicros } = await compareBalances(db);
  const differences = differing.length + (totalMicros === 0n ? 0 : 1);
  await insertProof(db, { wallets, differences, durationMs: performance.now() - begun });
  if (differences > 0)
    log.error(
      { differing: differing.slice(0, 100), totalMicros: String(totalMicros) },
      'ALARM: balances differ from their postings',
    );
};
