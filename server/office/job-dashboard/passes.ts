import { createHash, randomBytes } from 'node:crypto';
import { findAdminSession } from '../../customer/accounts/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { MountedPages } from '../../ground/route/index.ts';
import { findCookie, insertPass, takeTicket } from './store.ts';

/** As long as a browser takes to follow a link. */
const TICKET_SECONDS = 60;
export const COOKIE_SECONDS = 3_600;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const newPass = async (db: Db, kind: 'ticket' | 'cookie', sessionHash: Buffer): Promise<string> => {
  const token = randomBytes(32).toString('base64url');
  const seconds = kind === 'ticket' ? TICKET_SECONDS : COOKIE_SECONDS;
  await insertPass(db, { hash: hashOf(token), kind, sessionHash, seconds });
  return token;
};

/** For an admin's session: what a link carries instead of a header. */
export const makeTicket = (db: Db, sessionHash: Buffer): Promise<string> =>
  newPass(db, 'ticket', sessionHash);

/** Turns a ticket into a cookie, once. */
export const redeemTicket = async (db: Db, ticket: string): Promise<string | undefined> => {
  const sessionHash = await takeTicket(db, hashOf(ticket));
  return sessionHash && (await findAdminSession(db, sessionHash))
    ? newPass(db, 'cookie', sessionHash)
    : undefined;
};

/** Whose it is, as long as the session that it was made in is an admin's: asked anew for every page. */
export const admitCookie = async (db: Db, cookie: string): ReturnType<MountedPages['admits']> => {
  const sessionHash = await findCookie(db, hashOf(cookie));
  return sessionHash && findAdminSession(db, sessionHash);
};
