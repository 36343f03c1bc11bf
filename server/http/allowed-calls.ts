import type { AdminRole } from '../../contract/customer/admin-roles.ts';
import { isFor } from './admin-line.ts';
import type { GuardedRoom } from './registering/register-routes.ts';

/**
 * What admins of a role may call as admins: of lines for admins, and of customers' lines that show the roles more. The
 * pages offer nothing else, so that the route table is the only list.
 */
export const allowedCalls = (table: GuardedRoom[], role: AdminRole): string[] =>
  table.flatMap((line) => {
    if (line.guard !== 'admin' && !(line.guard === 'customer' && line.roles)) return [];
    const names = Object.keys({ ...line.routes, ...line.files, ...line.uploads });
    return names.filter((name) => isFor(line, name, role));
  });
