import type { FastifyRequest } from 'fastify';
import type { AccountId } from '../../contract/customer/accounts.ts';
import type { AdminRole } from '../../contract/customer/admin-roles.ts';
import { MAILBOX_TOKEN_HEADER } from '../../contract/ground/constants.ts';
import { isToken } from '../customer/accounts/index.ts';
import { DomainError } from '../ground/domain-error.ts';
import type { Limits } from '../ground/limits/index.ts';
import type { Caller, SendingAccount, Viewer } from '../ground/route/index.ts';
import type { AuditLog } from '../office/audit/index.ts';
import { bearsToken } from './bears-token.ts';
import { requestAddress } from './defence/request-origin.ts';

/**
 * Who may enter: anyone, whoever has the mailbox's token, a signed-in account, a signed-in admin, those who send with an account's
 * secret or its session, a provider whose signature the room itself checks, and an admin's browser that has turned a
 * ticket into a cookie.
 */
export type Guard = 'public' | 'mailbox' | 'customer' | 'admin' | 'sender' | 'signed' | 'ticket';
/** Those that are checked before the room is asked. */
export type UserGuard = Exclude<Guard, 'signed' | 'ticket'>;

interface SessionGuardDeps {
  findSession: (token: string) => Promise<Caller | undefined>;
  limits: Limits;
  /** Printed at the start; it alone opens the mailbox. */
  mailboxToken?: string;
}
export interface GuardDeps extends SessionGuardDeps {
  /** Of an account that is an admin's. */
  roleOf?: (accountId: AccountId) => Promise<AdminRole | undefined>;
  /** Keeps what admins do, and what they read of customers' data. */
  audit?: AuditLog;
  findSender: (secret: string) => Promise<SendingAccount | undefined>;
}

const tokenOf = (request: FastifyRequest): string =>
  (request.headers.authorization ?? '').replace(/^Bearer\s+/i, '').trim();

/** Ending the admin's view is not a change to the account. */
const LEAVE = '/api/account/logout';

/** What only its owner does with an account: secrets, cards, and its end. */
const OWNERS =
  /^\/api\/(cards|sandbox|devices\/:deviceId\/pairingCode|account\/:accountId\/(secret|oldSecrets|webhook\/rotate|close|confirmPassword|paymentSetting))/;

/** Somebody who sees an account as its owner does changes nothing there, unless it was confirmed. */
const refuseViewerChange = (
  { method, routeOptions: { url = '' } }: FastifyRequest,
  viewer: Viewer | undefined,
): void => {
  if (!viewer || method === 'GET' || method === 'HEAD' || url === LEAVE) return;
  if (!viewer.mayChange) throw new DomainError('E_VIEW_ONLY');
  if (OWNERS.test(url)) throw new DomainError('E_VIEW_NEVER');
};

/** Admits the request and returns its caller, or refuses it; whether an admin has the role is for the line to say. */
export const admit = async (
  guard: Exclude<UserGuard, 'sender'>,
  request: FastifyRequest,
  { findSession, limits, mailboxToken }: SessionGuardDeps,
): Promise<Caller | undefined> => {
  if (guard === 'public' || guard === 'mailbox') {
    await limits.consume('open-address', requestAddress(request));
    if (
      guard === 'mailbox' &&
      !(mailboxToken && bearsToken(request.headers[MAILBOX_TOKEN_HEADER], mailboxToken))
    )
      throw new DomainError('E_NOT_FOUND');
    return undefined;
  }
  const token = tokenOf(request);
  const caller = token ? await findSession(token) : undefined;
  if (!caller) {
    await limits.consume('open-address', requestAddress(request));
    throw new DomainError('E_LOGIN_REQUIRED');
  }
  await limits.consume('caller-account', caller.accountId);
  refuseViewerChange(request, caller.viewer);
  return caller;
};

/** These cost money with the live secret. */
const PAID = new Set([
  '/api/:channel/send',
  '/api/:channel/sendMany',
  '/api/:channel/csvSend',
  '/api/uploads/:uploadId/send',
]);

/** The secret in the body, which is not validated yet; an empty one counts as none. */
export const secretIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'secret' in body && typeof body.secret === 'string'
    ? body.secret
    : '';

/** Whether the header alone names a sender. */
export const bearsSender = async (
  request: FastifyRequest,
  { findSession, findSender }: Pick<GuardDeps, 'findSession' | 'findSender'>,
): Promise<boolean> => {
  const token = tokenOf(request);
  return token !== '' && ((await findSender(token)) ?? (await findSession(token))) !== undefined;
};

/**
 * For calls that send: needs the body, so it runs after the body is read. Paid calls are limited only by the balance;
 * free ones have a limit, a wide one for the live secret.
 */
export const admitSender = async (
  request: FastifyRequest,
  { findSession, findSender, limits }: Pick<GuardDeps, 'findSession' | 'findSender' | 'limits'>,
  secret = secretIn(request.body),
): Promise<SendingAccount> => {
  const token = tokenOf(request);
  const bySecret = await findSender(secret || token);
  if (bySecret) request.bySecret = bySecret;
  if (bySecret && !bySecret.test) {
    if (!PAID.has(request.routeOptions.url ?? '')) await limits.consume('secret-account', bySecret.accountId);
    return bySecret;
  }
  const session = !bySecret && !secret && token ? await findSession(token) : undefined;
  const sender =
    bySecret ??
    (session && {
      accountId: session.accountId,
      test: false,
      byPage: true as const,
      ...(session.viewer && { viewer: session.viewer }),
    });
  if (!sender) {
    await limits.consume('open-address', requestAddress(request));
    if (!secret && !token) throw new DomainError('E_SECRET_MISSING');
    // A bearer that no session can have was meant as a secret.
    throw new DomainError(secret || !isToken(token) ? 'E_SECRET_INVALID' : 'E_LOGIN_REQUIRED');
  }
  await limits.consume('caller-account', sender.accountId);
  refuseViewerChange(request, sender.viewer);
  return sender;
};
