import { randomUUID } from 'node:crypto';
import { takesTestCards } from '../card-processor.ts';
import { listSandboxWallets, lockWallet } from '../store.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { postEntry } from './post-entry.ts';

/**
 * Once real cards are taken, money of test cards is of no more use: it is taken off the balances by entries of its own,
 * so that a balance shows what can be spent. A late refund of it is taken off by the next run.
 */
export const endSandboxMoney = async ({
  db,
  queue,
  processor,
}: Pick<WalletDeps, 'db' | 'queue' | 'processor'>): Promise<void> => {
  if (takesTestCards(processor.name)) return;
  for (const accountId of await listSandboxWallets(db))
    await db.transaction().execute(async (trx) => {
      const { sandboxMicros } = await lockWallet(trx, accountId);
      if (sandboxMicros === 0n) return;
      await postEntry(
        { db: trx, queue },
        {
          accountId,
          kind: 'ADJUSTMENT',
          cause: `sandbox-ended:${randomUUID()}`,
          postings: { AVAILABLE: -sandboxMicros, ADJUSTMENTS: sandboxMicros },
          details: { sandboxEnded: true },
          sandbox: true,
        },
      );
    });
};
