import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../../contract/customer/admin-roles.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { AuditChange } from '../../../ground/route/index.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { acceptEmail } from '../email.ts';
import { findByEmail } from '../store.ts';
import { findAdmin, isLastOwner, lockAdmins, writeRole } from './admin-store.ts';
import { sendInvitation } from './invite.ts';

/** Gives an admin another role, or takes it away. There is always an owner. */
export const changeAdmin = (
  { db }: { db: Db },
  { accountId, role }: { accountId: AccountId; role: AdminRole | null },
): Promise<AuditChange> =>
  db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    const before = await findAdmin(trx, accountId);
    if (!before) throw new DomainError('E_NOT_FOUND');
    if (role !== 'owner' && (await isLastOwner(trx, accountId))) throw new DomainError('E_LAST_OWNER');
    await writeRole(trx, accountId, role);
    return { accountId, before: { role: before.role }, after: { role } };
  });

/** Who has an account is an admin at once; anybody else by registering with the link that they are sent. */
export const addAdmin = async (
  { db, queue }: Pick<AccountsDeps, 'db' | 'queue'>,
  { by, role, language, ...typed }: { email: string; role: AdminRole; language: Language; by: AccountId },
): Promise<AuditChange & { invited: boolean }> => {
  const email = acceptEmail(typed.email);
  const account = await findByEmail(db, email);
  if (!account) {
    const invitation = await sendInvitation({ db, queue }, { email, language, by, adminRole: role });
    return { subject: invitation.id, after: { email, role }, invited: true };
  }
  if (account.closedAt) throw new DomainError('E_ACCOUNT_CLOSED');
  if (!account.activatedAt) throw new DomainError('E_NOT_ACTIVATED');
  return db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    const before = await findAdmin(trx, account.id);
    if (role !== 'owner' && (await isLastOwner(trx, account.id))) throw new DomainError('E_LAST_OWNER');
    await writeRole(trx, account.id, role);
    return { accountId: account.id, before: { role: before?.role ?? null }, after: { role }, invited: false };
  });
};
