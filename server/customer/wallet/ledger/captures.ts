import type { RawBuilder } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { decimalFromMicros } from '../../../../contract/ground/money.ts';
import { AUTO_TOP_UP } from '../auto-top-up/auto-top-up-request.ts';
import { walletMails } from '../mails/wallet-mails.ts';
import { postingsHash } from '../payments/request-hash.ts';
import type { SpendDeps } from '../wallet-deps.ts';
import { type Capture, type CaptureOutcome, makingCaptures, type SpendingRules } from './ledger-store.ts';
import type { Spend } from './spend.ts';

const hashOf = (amountMicros: bigint): Buffer =>
  postingsHash({ AVAILABLE: -amountMicros, REVENUE: amountMicros });

/** Caches the hash of the last amount, because consecutive singles usually cost the same. */
const capturesOf = (spends: Spend[]): Capture[] => {
  let amountBefore = -1n;
  let hash: Buffer = Buffer.alloc(0);
  return spends.map((spend) => {
    if (spend.amountMicros < 0n) throw new Error('a spend can’t be negative');
    if (spend.amountMicros !== amountBefore) hash = hashOf(spend.amountMicros);
    amountBefore = spend.amountMicros;
    return { ...spend, requestHash: hash, details: spend.details ?? {}, simulated: spend.simulated ?? false };
  });
};

interface CaptureOptions {
  /**
   * Leaves out accounts whose new balance would cause a top-up or a mail: their outcome is 'needs-follow-up'. Those whose
   * wallet is locked elsewhere have no outcome.
   */
  fastPath: boolean;
  /** Leaves out these accounts, without an outcome: a condition on `given.account_id`. */
  except?: RawBuilder<unknown>;
  rules?: SpendingRules;
}

/** Rules that require nothing but a sufficient balance: for operators that set no limits, and for tests. */
export const NO_SPENDING_RULES: SpendingRules = { approval: false, dayLimitMicros: null };

/**
 * A query that spends for many accounts, for a statement that stores what is paid for; a row for each account. Each is
 * as `spend`, but a spend that its balance does not cover is refused alone, and one of nothing only tells the balance.
 * An account may occur once, and no cause may have been used before. Because of the lock order this must be the
 * transaction's first use of any wallet, or concern wallets that it has already locked.
 */
export const captures = (spends: Spend[], options: CaptureOptions) => {
  if (new Set(spends.map(({ accountId }) => accountId)).size < spends.length)
    throw new Error('an account occurs twice among the spends');
  return makingCaptures(capturesOf(spends), { rules: NO_SPENDING_RULES, ...options });
};

/** Enqueues, in the same transaction, what the new balance of a capture causes. */
export const enqueueAfterCapture = async (
  deps: SpendDeps,
  accountId: AccountId,
  {
    top_up_due,
    balance_low,
    limit_near,
    limit_micros,
  }: Pick<CaptureOutcome, 'top_up_due' | 'balance_low' | 'limit_near' | 'limit_micros'>,
): Promise<void> => {
  if (top_up_due) await deps.queue.send(AUTO_TOP_UP, { accountId }, { db: deps.db });
  if (balance_low) await walletMails.request(deps, { kind: 'low-balance', accountId });
  if (limit_near)
    await walletMails.request(deps, {
      kind: 'day-limit',
      accountId,
      limit: decimalFromMicros(limit_micros ?? 0n),
    });
};
