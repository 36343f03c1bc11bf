import type { AccountId } from '../../contract/customer/accounts.ts';
import { type AdminRole, hasRole, isAbove } from '../../contract/customer/admin-roles.ts';
import { DomainError } from '../ground/domain-error.ts';
import type { Caller } from '../ground/route/index.ts';

/** What a line of the route table says about admins. */
export interface AdminLine {
  guard: string;
  /**
   * Which admins may make its calls, besides owners; none: owners alone. On a customer's line: who sees the data of all
   * accounts there, while other admins are customers like any other.
   */
  roles?: readonly AdminRole[];
  /** Who may only read, besides those. */
  readers?: readonly AdminRole[];
  /** Its calls are about the installation, and show nothing of customers. */
  operation?: true;
  /**
   * Its writes decide about the account that they name: what it may spend, whether it may send, what it has. Nobody
   * decides about their own account, and only owners about that of an owner.
   */
  decides?: true;
  /** Admins are shown all accounts, also by the address of their own, or when they ask for `all`. */
  allAccounts?: true;
}

/** Whether an admin may make this call. A line that names no roles is for owners alone. */
export const isFor = (
  { roles = [], readers = [] }: Pick<AdminLine, 'roles' | 'readers'>,
  name: string,
  role: AdminRole | undefined,
): boolean => hasRole(role, name.startsWith('GET ') ? [...roles, ...readers] : roles);

/** Refuses admins without the role; on a customer's line they lose what only admins see. */
export const withRole = (line: AdminLine, name: string, caller: Caller): Caller => {
  if (line.guard === 'admin') {
    if (!caller.admin || !isFor(line, name, caller.role)) throw new DomainError('E_FORBIDDEN');
    return caller;
  }
  const everybody = !line.roles;
  return !caller.admin || everybody || isFor(line, name, caller.role) ? caller : { ...caller, admin: false };
};

/** Refuses an admin who would decide about their own account, or about that of an admin above them. */
export const requireMayDecide = async (
  { accountId: by, role }: Pick<Caller, 'accountId' | 'role'>,
  about: AccountId,
  roleOf: (accountId: AccountId) => Promise<AdminRole | undefined> = async () => undefined,
): Promise<void> => {
  if (about === by) throw new DomainError('E_OWN_ACCOUNT');
  if (isAbove(await roleOf(about), role)) throw new DomainError('E_ADMIN_ABOVE');
};
