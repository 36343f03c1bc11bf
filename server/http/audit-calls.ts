import type { FastifyRequest } from 'fastify';
import { type AccountId, accountId as accountIdSchema } from '../../contract/customer/accounts.ts';
import { DomainError } from '../ground/domain-error.ts';
import type { AuditChange } from '../ground/route/index.ts';
import type { AuditedCall, AuditLog } from '../office/audit/index.ts';
import { type AdminLine, requireMayDecide } from './admin-line.ts';
import { requestAddress } from './defence/request-origin.ts';
import type { GuardDeps } from './guards.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the handler says that it changed. */
    change?: AuditChange;
    /** Of an admin's write: its entry of the audit log. */
    entryId?: string;
  }
}

type Asked = Record<string, unknown>;

/** What is asked for was not checked where a call has no schema for it. */
const asAccountId = (given: unknown): AccountId | undefined => accountIdSchema.safeParse(given).data;

const partOf = (given: unknown): Asked =>
  typeof given === 'object' && given !== null ? (given as Asked) : {};

/** Whether an admin may see another's: everything but what is found by the admin's own account. */
const isOthers = (
  { guard, operation, allAccounts }: AdminLine,
  own: AccountId,
  { params, query }: { params: Asked; query: Asked },
): boolean => {
  if (guard === 'admin') return !operation;
  const { accountId, ...named } = params;
  if (accountId !== undefined) return allAccounts === true || accountId !== own;
  return Object.keys(named).length > 0 || (allAccounts === true && query.all !== undefined);
};

/** The account that a call names: in its address, or in what is sent along. */
const namedAccount = (request: FastifyRequest, given: Asked): AccountId | undefined =>
  asAccountId(partOf(request.params).accountId) ?? asAccountId(given.accountId);

/** Who looks at this account in its owner's place, if anybody does. */
const viewerOf = ({ caller, sender }: FastifyRequest) => caller?.viewer ?? sender?.viewer;

/** What the log says of a request, but for what it sent along. */
const callOf = (line: AdminLine, name: string, request: FastifyRequest, given: Asked): AuditedCall => {
  const { caller, sender } = request;
  const viewer = viewerOf(request);
  const own = (caller ?? sender)?.accountId as AccountId;
  const { accountId: _, ...named } = partOf(request.params);
  const whose = line.allAccounts ? asAccountId(given.accountId) : namedAccount(request, given);
  return {
    adminId: viewer?.adminId ?? own,
    call: name,
    accountId: viewer ? own : (whose ?? null),
    subject: Object.values(named).join(' '),
    address: requestAddress(request),
  };
};

/**
 * Keeps what admins read of customers, before they are answered: what can't be kept is not shown. It wraps every call
 * and file of the route table that reads, so that no room has to remember to do it.
 */
export const auditReads = (line: AdminLine, name: string, { audit }: Pick<GuardDeps, 'audit'>) => ({
  ...(name.startsWith('GET ') &&
    audit && {
      preHandler: async (request: FastifyRequest): Promise<void> => {
        const { caller } = request;
        const [params, query] = [partOf(request.params), partOf(request.query)];
        const reads =
          viewerOf(request) ??
          (caller?.admin && isOthers(line, caller.accountId, { params, query }) ? caller : undefined);
        if (reads) await audit.read(callOf(line, name, request, query));
      },
    }),
});

/**
 * Runs a handler. If it is an admin's write, what was asked for is kept before, and how it ended after: nothing changes
 * without an entry, whatever the room does and wherever the program ends. It is part of every call and upload of the
 * route table. What an admin may not decide is refused here, and kept as well.
 */
export const auditWrites = (
  line: AdminLine,
  name: string,
  { audit, roleOf }: Pick<GuardDeps, 'audit' | 'roleOf'>,
) => {
  const runAudited = async <T>(
    { ask }: AuditLog,
    request: FastifyRequest,
    { run, given }: { run: () => T | Promise<T>; given: unknown },
  ): Promise<T> => {
    const { entryId, end } = await ask(callOf(line, name, request, partOf(given)), given);
    request.entryId = entryId;
    const about = line.decides && namedAccount(request, partOf(given));
    let answer: T;
    try {
      if (about && request.caller) await requireMayDecide(request.caller, about, roleOf);
      answer = await run();
    } catch (error) {
      const refused = error instanceof DomainError;
      await end({ event: refused ? 'refused' : 'failed', after: refused ? { code: error.code } : null });
      throw error;
    }
    await end({ event: 'done', ...request.change });
    return answer;
  };
  const reads = name.startsWith('GET ');
  // Sending calls come thousands of times a second, so they are not wrapped in another promise.
  return <T>(
    request: FastifyRequest,
    run: () => T | Promise<T>,
    given: unknown = request.body,
  ): T | Promise<T> =>
    reads || !audit || (line.guard !== 'admin' && !viewerOf(request))
      ? run()
      : runAudited(audit, request, { run, given });
};
