import type { FastifyRequest } from 'fastify';
import { DomainError } from '../domain-error.ts';
import type { Limits } from '../limits/index.ts';
import type { Caller } from '../route.ts';
import { addressOf, isLocal } from './visit.ts';

/** Who may enter: anyone, this machine only, a signed-in account, a signed-in admin. */
export type Guard = 'public' | 'local' | 'customer' | 'admin';

export interface GuardDeps {
  findSession: (token: string) => Promise<Caller | undefined>;
  limits: Limits;
}

const tokenOf = (request: FastifyRequest): string =>
  (request.headers.authorization ?? '').replace(/^Bearer\s+/i, '').trim();

/** Lets the request in and answers who it is, or refuses it. */
export const admit = async (
  guard: Guard,
  request: FastifyRequest,
  { findSession, limits }: GuardDeps,
): Promise<Caller | undefined> => {
  if (guard === 'local' && !isLocal(request)) throw new DomainError('E_NOT_FOUND');
  if (guard === 'public' || guard === 'local') {
    await limits.consume('open-address', addressOf(request));
    return undefined;
  }
  const token = tokenOf(request);
  const caller = token ? await findSession(token) : undefined;
  if (!caller) {
    await limits.consume('open-address', addressOf(request));
    throw new DomainError('E_LOGIN_REQUIRED');
  }
  await limits.consume('caller-account', caller.accountId);
  if (guard === 'admin' && !caller.admin) throw new DomainError('E_FORBIDDEN');
  return caller;
};
