import { numberFromMicros } from '../../contract/money.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { CallerRoutes } from '../route/index.ts';
import { text } from '../translations/index.ts';
import { readWallets } from '../wallet/index.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { type InvitationRow, listInvitations, removeInvitation } from './invitation-store.ts';
import { invite } from './invite.ts';
import { listAccounts } from './store.ts';

/** The newest accounts; limited, so that one call can't use up all memory. */
const LISTED = 10_000;

const viewInvitation = ({ id, email, createdAt, expiresAt, usedAt }: InvitationRow) => ({
  invitationId: id,
  email,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
});

export const adminInvitationRoutes = (
  deps: Pick<AccountsDeps, 'db' | 'queue' | 'registration'>,
): CallerRoutes => ({
  'GET /admin/invitations': async () => ({
    invitations: (await listInvitations(deps.db)).map(viewInvitation),
  }),
  'POST /admin/invitations': async ({ caller, body, language }) =>
    viewInvitation(
      await invite(deps, { email: body.email, language: body.language ?? language, by: caller.accountId }),
    ),
  'DELETE /admin/invitations/:invitationId': async ({ params, language }) => {
    if (!(await removeInvitation(deps.db, params.invitationId))) throw new DomainError('E_NOT_FOUND');
    return { message: text(language, 'account.invitation_removed') };
  },
});

export const adminAccountRoutes = ({ db, listed = LISTED }: { db: Db; listed?: number }): CallerRoutes => ({
  'GET /accounts': async () => {
    const found = await listAccounts(db, listed + 1);
    const accounts = found.slice(0, listed);
    const wallets = await readWallets(
      db,
      accounts.map(({ id }) => id),
    );
    const walletOf = new Map(wallets.map((wallet) => [wallet.accountId, wallet]));
    return {
      more: found.length > listed,
      accounts: accounts.flatMap(({ id, formerEmail, activatedAt, closedAt, ...account }) => {
        const wallet = walletOf.get(id);
        if (!wallet) return [];
        const email = formerEmail ?? account.email;
        return {
          _id: id,
          email,
          username: email.slice(0, email.lastIndexOf('@')),
          balance: numberFromMicros(wallet.balanceMicros),
          currency: wallet.currency,
          active: activatedAt !== null && closedAt === null,
          closedAt: closedAt?.toISOString() ?? null,
        };
      }),
    };
  },
});
