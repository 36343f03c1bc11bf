import type { MailContent, WrittenMail } from '../../../ground/mail/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { addInvitationToken, findInvitation } from '../admins/invitation-store.ts';
import { hashToken, newToken } from '../sessions/token.ts';
import { findByEmail, lockAccount } from '../store.ts';
import type { AccountMail } from './account-mails.ts';
import {
  activationLetter,
  alreadyRegisteredLetter,
  choosePasswordLetter,
  closedLetter,
  invitationLetter,
  passwordChangedLetter,
  resetLetter,
} from './mail-texts.ts';
import { insertMailToken, type TokenPurpose } from './mail-token-store.ts';

type Account = NonNullable<Awaited<ReturnType<typeof lockAccount>>>;

const HOUR = 3600;
const ACTIVATE_SECONDS = 3 * 24 * HOUR;
const RESET_SECONDS = HOUR;

/** Links sent earlier still work: if several mails are on their way, any of them must work. */
const newMailToken = async (
  trx: Db,
  { id: accountId }: Account,
  { purpose, lifetimeSeconds }: { purpose: TokenPurpose; lifetimeSeconds: number },
): Promise<string> => {
  const token = newToken();
  await insertMailToken(trx, { tokenHash: hashToken(token), accountId, purpose, lifetimeSeconds });
  return token;
};

/** The mail that the account's current state calls for; undefined if it has become pointless. */
const writeLetterTo = async (
  trx: Db,
  account: Account,
  { kind, language }: Exclude<AccountMail, { kind: 'invitation' }>,
  publicUrl: string,
): Promise<MailContent | undefined> => {
  const facts = { language, email: account.email, publicUrl };
  // A closed account gets this mail, also if somebody requests a link or registers again.
  if (account.closedAt) return closedLetter(facts, account.closedAt);
  switch (kind) {
    case 'closed':
      return undefined;
    case 'activate': {
      if (account.activatedAt) return undefined;
      const lifetimeSeconds = ACTIVATE_SECONDS;
      return account.passwordHash === null
        ? choosePasswordLetter(facts, await newMailToken(trx, account, { purpose: 'reset', lifetimeSeconds }))
        : activationLetter(facts, await newMailToken(trx, account, { purpose: 'activate', lifetimeSeconds }));
    }
    case 'reset':
      return resetLetter(
        facts,
        await newMailToken(trx, account, { purpose: 'reset', lifetimeSeconds: RESET_SECONDS }),
      );
    case 'already-registered':
      return alreadyRegisteredLetter(facts);
    case 'password-changed':
      return passwordChangedLetter(facts);
  }
};

const writeInvitation = async (
  db: Db,
  { invitationId, language }: Extract<AccountMail, { kind: 'invitation' }>,
  publicUrl: string,
): Promise<WrittenMail | undefined> => {
  const invitation = await findInvitation(db, invitationId);
  if (!invitation || invitation.usedAt) return undefined;
  const token = newToken();
  await addInvitationToken(db, invitationId, hashToken(token));
  const { email } = invitation;
  return { to: email, letter: invitationLetter({ language, email, publicUrl }, token) };
};

const writeToAccount = async (
  db: Db,
  request: Exclude<AccountMail, { kind: 'invitation' }>,
  publicUrl: string,
): Promise<WrittenMail | undefined> => {
  const accountId = request.kind === 'reset' ? (await findByEmail(db, request.email))?.id : request.accountId;
  if (!accountId) return undefined;
  return db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, accountId);
    const letter = account && (await writeLetterTo(trx, account, request, publicUrl));
    return letter && { to: account.email, letter, about: { accountId } };
  });
};

/** The token's hash is committed before the mail is sent, and a retry creates another token. */
export const writeMail = (
  db: Db,
  request: AccountMail,
  publicUrl: string,
): Promise<WrittenMail | undefined> =>
  request.kind === 'invitation'
    ? writeInvitation(db, request, publicUrl)
    : writeToAccount(db, request, publicUrl);
