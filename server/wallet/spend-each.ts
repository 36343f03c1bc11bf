import { AUTO_TOP_UP } from './auto-top-up-request.ts';
import { type Capture, insertCaptures, makingCaptures, type Outcome } from './ledger-store.ts';
import { requestMail } from './mail-request.ts';
import { acceptOutcome, type Posted } from './post-entry.ts';
import { postingsHash } from './request-hash.ts';
import { requirePositive } from './require-positive.ts';
import type { Spend } from './spend.ts';
import type { SpendDeps } from './wallet-deps.ts';

/**
 * The balance did not cover it. The wallet stays locked until the transaction ends, so a smaller amount may be tried
 * immediately.
 */
interface TooLow {
  tooLow: true;
  balanceMicros: bigint;
}

const hashOf = (amountMicros: bigint): Buffer =>
  postingsHash({ AVAILABLE: -amountMicros, REVENUE: amountMicros });

/** The same amount as before, which is usual, has the same hash. */
const capturesOf = (spends: Spend[]): Capture[] => {
  let amountBefore = 0n;
  let hash: Buffer = Buffer.alloc(0);
  return spends.map((spend) => {
    requirePositive(spend.amountMicros);
    if (spend.amountMicros !== amountBefore) hash = hashOf(spend.amountMicros);
    amountBefore = spend.amountMicros;
    return { ...spend, requestHash: hash, details: spend.details ?? {} };
  });
};

/**
 * The same as a query, for a statement that does more with it. The caller has to check that every outcome is 'posted'
 * and causes nothing: no top-up, and no mail about a low balance. No cause may have been used before.
 */
export const captures = (spends: Spend[]) => makingCaptures(capturesOf(spends), { fresh: true });
export const readCapture = (outcome: Outcome): Posted => acceptOutcome(outcome, 'a CAPTURE');

const answer = async (
  deps: SpendDeps,
  spend: Spend,
  outcome: Outcome | undefined,
): Promise<Posted | TooLow> => {
  if (!outcome) throw new Error('the ledger gave no answer');
  if (outcome.outcome === 'too-low') return { tooLow: true, balanceMicros: outcome.balance_micros };
  const posted = acceptOutcome(outcome, `CAPTURE of ${spend.cause}`);
  const { accountId } = spend;
  if (outcome.top_up_due) await deps.queue.send(AUTO_TOP_UP, { accountId }, { db: deps.db });
  if (outcome.balance_low) await requestMail(deps, { kind: 'low-balance', accountId });
  return posted;
};

/**
 * Spends of many accounts in one statement: each as `spend`, but a spend that its balance does not cover is refused
 * alone. An account may occur once. Because of the lock order this must be the transaction's first use of any wallet,
 * or concern wallets that it has already locked.
 */
export const spendEach = async (deps: SpendDeps, spends: Spend[]): Promise<(Posted | TooLow)[]> => {
  if (new Set(spends.map(({ accountId }) => accountId)).size < spends.length)
    throw new Error('an account occurs twice among the spends');
  const outcomes = await insertCaptures(deps.db, capturesOf(spends));
  const answers: (Posted | TooLow)[] = [];
  for (const spend of spends) answers.push(await answer(deps, spend, outcomes.get(spend.accountId)));
  return answers;
};
