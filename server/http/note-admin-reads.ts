import type { FastifyRequest } from 'fastify';
import { type AccountId, accountId as accountIdSchema } from '../../contract/accounts.ts';
import type { GuardDeps } from './guards.ts';
import { addressOf } from './request-origin.ts';

/** What a line of the route table says about admins who read. */
export interface AdminReading {
  guard: string;
  /** Its calls are about the installation, and show nothing of customers. */
  operation?: true;
  /** Admins are shown all accounts, also by the address of their own. */
  allAccounts?: true;
}

type Asked = Record<string, unknown>;

/** What is asked for was not checked where a call has no schema for it. */
const asAccountId = (given: unknown): AccountId | undefined => accountIdSchema.safeParse(given).data;

/** Whether an admin may see another's: everything but what is found by the admin's own account. */
const isOthers = (
  { guard, operation, allAccounts }: AdminReading,
  own: AccountId,
  params: Asked,
): boolean => {
  if (guard === 'admin') return !operation;
  const { accountId, ...named } = params;
  if (accountId !== undefined) return allAccounts === true || accountId !== own;
  return Object.keys(named).length > 0;
};

/**
 * Notes what admins read of customers, before they are answered: what can't be noted is not shown. It is part of
 * every call and file of the route table that reads, so that no room has to remember it.
 */
export const noteAdminReads = (
  line: AdminReading,
  name: string,
  { noteAdminRead }: Pick<GuardDeps, 'noteAdminRead'>,
) => ({
  ...(name.startsWith('GET ') &&
    noteAdminRead && {
      preHandler: async (request: FastifyRequest): Promise<void> => {
        const { caller } = request;
        const params = (request.params ?? {}) as Asked;
        if (!caller?.admin || !isOthers(line, caller.accountId, params)) return;
        const { accountId, ...named } = params;
        const asked = asAccountId(((request.query ?? {}) as Asked).accountId);
        const whose = line.allAccounts ? asked : (asAccountId(accountId) ?? asked);
        await noteAdminRead({
          adminId: caller.accountId,
          call: name,
          accountId: whose ?? null,
          subject: Object.values(named).join(' '),
          address: addressOf(request),
        });
      },
    }),
});
