import type { AccountId } from '../../contract/accounts.ts';
import { AUTO_TOP_UP } from './auto-top-up-request.ts';
import type { Spend } from './hold.ts';
import { insertCaptures } from './ledger-store.ts';
import { requestMail } from './mail-request.ts';
import { acceptOutcome, type Posted } from './post-entry.ts';
import { requestHash } from './request-hash.ts';
import { requirePositive } from './require-positive.ts';
import type { Till } from './wallet-deps.ts';

/** What the balance did not cover: it stays locked until the transaction ends, so less may be tried at once. */
export interface TooLow {
  tooLow: true;
  balanceMicros: bigint;
}

/**
 * Many spends in one statement, each as `spend` but refused alone. The answers are in the order of the spends,
 * the postings by account id: the order of all locks on wallets.
 */
export const spendEach = async (till: Till, spends: Spend[]): Promise<(Posted | TooLow)[]> => {
  for (const { amountMicros } of spends) requirePositive(amountMicros);
  const outcomes = await insertCaptures(
    till.db,
    spends.map((spend) => {
      const postings = { AVAILABLE: -spend.amountMicros, REVENUE: spend.amountMicros };
      return { ...spend, requestHash: requestHash([postings, undefined]), details: spend.details ?? {} };
    }),
  );
  const tell = async (accountId: AccountId, at: number): Promise<Posted | TooLow> => {
    const outcome = outcomes[at];
    if (!outcome) throw new Error('the ledger gave no answer');
    if (outcome.outcome === 'too-low') return { tooLow: true, balanceMicros: outcome.balance_micros };
    const posted = acceptOutcome(outcome, `CAPTURE of ${spends[at]?.cause}`);
    if (outcome.top_up_due) await till.queue.send(AUTO_TOP_UP, { accountId }, { db: till.db });
    if (outcome.balance_low) await requestMail(till, { kind: 'low-balance', accountId });
    return posted;
  };
  const told: (Posted | TooLow)[] = [];
  for (const [at, { accountId }] of spends.entries()) told.push(await tell(accountId, at));
  return told;
};
