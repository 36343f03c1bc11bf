import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { OldSecretId } from '../../../../contract/customer/integration.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { removeOldSecret } from './old-secret-store.ts';

/** Processes that have it cached accept it for a few more seconds: see find-sender.ts. */
export const endOldSecret = async (
  db: Db,
  which: { accountId: AccountId; id: OldSecretId },
): Promise<void> => {
  if (!(await removeOldSecret(db, which))) throw new DomainError('E_NOT_FOUND');
};
