import { numberFromMicros } from '../../../../contract/ground/money.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Caller, CallerRoutes } from '../../../ground/route/index.ts';
import { text } from '../../../ground/translations/index.ts';
import { readWallets } from '../../wallet/index.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { resendActivation } from '../opening/resend-activation.ts';
import { listAccounts } from '../store.ts';
import { viewAccount } from '../view-account.ts';
import { listAdmins } from './admin-store.ts';
import { addAdmin, changeAdmin } from './change-admin.ts';
import { type InvitationRow, listInvitations, removeInvitation } from './invitation-store.ts';
import { invite } from './invite.ts';

/** The newest accounts; limited, so that one call can't use up all memory. */
const LISTED = 10_000;

const viewInvitation = ({ id, email, createdAt, expiresAt, usedAt }: InvitationRow) => ({
  invitationId: id,
  email,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
});

const ofAdmins = ({ role }: Caller) => ({ ofAdmins: role === 'owner' });

export const adminInvitationRoutes = (
  deps: Pick<AccountsDeps, 'db' | 'queue' | 'registration'>,
): CallerRoutes => ({
  'GET /admin/invitations': async ({ caller }) => ({
    invitations: (await listInvitations(deps.db, ofAdmins(caller))).map(viewInvitation),
  }),
  'POST /admin/invitations': async ({ caller, body, language, changed }) => {
    const invitation = viewInvitation(
      await invite(deps, { email: body.email, language: body.language ?? language, by: caller.accountId }),
    );
    changed({ subject: invitation.invitationId, after: invitation });
    return invitation;
  },
  'DELETE /admin/invitations/:invitationId': async ({ caller, params, language, changed }) => {
    const removed = await removeInvitation(deps.db, params.invitationId, ofAdmins(caller));
    if (!removed) throw new DomainError('E_NOT_FOUND');
    changed({ before: viewInvitation(removed) });
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

export const adminRoutes = (deps: Pick<AccountsDeps, 'db' | 'queue'>): CallerRoutes => ({
  'GET /admin/admins': async () => ({
    admins: (await listAdmins(deps.db)).map(({ id, createdAt, ...same }) => ({
      ...same,
      _id: id,
      createdAt: createdAt.toISOString(),
    })),
    invited: (await listInvitations(deps.db, { ofAdmins: true })).flatMap(
      ({ id, email, adminRole, expiresAt, usedAt }) =>
        adminRole && !usedAt
          ? [{ invitationId: id, email, role: adminRole, expiresAt: expiresAt.toISOString() }]
          : [],
    ),
  }),
  'POST /admin/admins': async ({ caller, body, language, changed }) => {
    const { invited, ...change } = await addAdmin(deps, { ...body, language, by: caller.accountId });
    changed(change);
    return { message: text(language, invited ? 'admins.invited' : 'admins.added') };
  },
  'PUT /admin/admins/:accountId': async ({ params, body, language, changed }) => {
    changed(await changeAdmin(deps, { ...params, ...body }));
    return { message: text(language, 'admins.changed') };
  },
  'DELETE /admin/admins/:accountId': async ({ params, language, changed }) => {
    changed(await changeAdmin(deps, { ...params, role: null }));
    return { message: text(language, 'admins.removed') };
  },
});

/** What support does for a customer's account. */
export const supportRoutes = (deps: AccountsDeps): CallerRoutes => ({
  'POST /admin/accounts/:accountId/activationMail': async ({ params, language, changed }) => {
    await resendActivation(deps, params.accountId);
    changed({ after: { mail: 'activate' } });
    return { message: text(language, 'customers.mailed') };
  },
  'POST /admin/accounts/:accountId/view': async ({ caller, params, body, address, changed }) => {
    const { reason, password } = body;
    const { until, ...view } = await viewAccount(deps, {
      ...params,
      by: caller.accountId,
      password,
      address,
    });
    changed({ after: { reason, mayChange: view.mayChange, until } });
    return { ...view, until: until.toISOString() };
  },
});
