import { randomUUID } from 'node:crypto';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { requestHash } from '../payments/request-hash.ts';
import { acceptAmount } from '../payments/top-up-terms.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { type Posted, postEntry } from './post-entry.ts';

interface Adjustment {
  accountId: AccountId;
  /** In USD; negative takes away. */
  amount: string | number;
  reason: string;
  by: AccountId;
  idempotencyKey: string | undefined;
}

/** A movement made by hand: it has a reason and the admin who made it. */
export const adjust = async (
  { db, queue, contactOf }: Pick<WalletDeps, 'db' | 'queue' | 'contactOf'>,
  { accountId, amount, reason: typed, by, idempotencyKey }: Adjustment,
): Promise<Posted & { beforeMicros: bigint }> => {
  const amountMicros = acceptAmount(amount, { negative: true });
  const reason = typed.trim();
  if (reason === '') throw new DomainError('E_REASON_EMPTY');
  const contact = await contactOf(accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  // Accounts that are never activated get deleted, and a ledger entry would prevent that.
  if (!contact.active) throw new DomainError('E_NOT_ACTIVATED');
  const posted = await db.transaction().execute((trx) =>
    postEntry(
      { db: trx, queue },
      {
        accountId,
        kind: 'ADJUSTMENT',
        cause: idempotencyKey === undefined ? `adjustment:${randomUUID()}` : `key:${idempotencyKey}`,
        requestHash: requestHash([amountMicros, reason, by]),
        postings: { AVAILABLE: amountMicros, ADJUSTMENTS: -amountMicros },
        details: { reason, by },
      },
    ),
  );
  // A repeated request moves no money.
  const movedMicros = posted.repeated ? 0n : amountMicros;
  return { ...posted, beforeMicros: posted.balanceMicros - movedMicros };
};
