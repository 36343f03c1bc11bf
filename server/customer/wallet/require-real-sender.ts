import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { hasPaid, type SpendingRules } from './ledger/ledger-store.ts';
import { readWallet } from './store.ts';

/**
 * Refuses an account that may not send for real, with the error that sending has. It is for what costs the operator
 * something before the first message does, so what the balance covers now is not asked.
 */
export const requireRealSender = async (
  db: Db,
  accountId: AccountId,
  { approval }: Pick<SpendingRules, 'approval'>,
): Promise<void> => {
  const { suspendedAt, approvedAt, sandboxMicros } = await readWallet(db, accountId);
  if (suspendedAt) throw new DomainError('E_SUSPENDED');
  if (approval && !approvedAt) throw new DomainError('E_NOT_APPROVED');
  if (!(await hasPaid(db, accountId)))
    throw new DomainError(sandboxMicros > 0n ? 'E_SANDBOX_MONEY' : 'E_BALANCE_TOO_LOW');
};
