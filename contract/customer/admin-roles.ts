/**
 * What an admin may do. Support reads and resolves, finance is for money and prices, operators are for lanes, phones
 * and devices and what is stuck in them, analysts for the query tool; owners may do everything, and alone make other admins.
 */
export const ADMIN_ROLES = ['support', 'finance', 'operator', 'analyst', 'owner'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** Whether an admin of one role is above one of another: owners are above all others, who are beside each other. */
export const isAbove = (role: AdminRole | undefined, other: AdminRole | undefined): boolean =>
  role === 'owner' && other !== 'owner';

/** Whether this admin is among those roles; an owner always is. */
export const hasRole = (role: AdminRole | null | undefined, roles: readonly AdminRole[]): boolean =>
  role === 'owner' || (role != null && roles.includes(role));
