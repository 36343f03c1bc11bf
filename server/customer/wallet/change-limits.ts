import type { AccountId } from '../../../contract/customer/accounts.ts';
import { microsFromNumber } from '../../../contract/ground/money.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { lockWallet, updateWallet } from './store.ts';

interface Limits {
  /** In USD a day; null: the operator's default. */
  spendPerDay?: number | null | undefined;
  newCountriesPerDay?: number | null | undefined;
  /** An admin's word that the account may send for real. */
  approved?: boolean | undefined;
}

const microsOf = (amount: number | null): bigint | null => {
  if (amount === null) return null;
  const micros = microsFromNumber(amount);
  if (micros === undefined) throw new DomainError('E_AMOUNT_INVALID');
  return micros;
};

/** What is not given stays. A raised limit is told anew when it comes near. */
export const changeLimits = (
  db: Db,
  accountId: AccountId,
  { spendPerDay, newCountriesPerDay, approved }: Limits,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { approvedAt } = await lockWallet(trx, accountId);
    await updateWallet(trx, accountId, {
      approved_at: approved === undefined ? approvedAt : approved ? (approvedAt ?? new Date()) : null,
      ...(spendPerDay !== undefined && {
        day_limit_micros: microsOf(spendPerDay),
        limit_told_on: new Date(0),
      }),
      ...(newCountriesPerDay !== undefined && { new_countries_limit: newCountriesPerDay }),
    });
  });
