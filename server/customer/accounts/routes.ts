import type { AdminRole } from '../../../contract/customer/admin-roles.ts';
import { type CallerRoutes, type OpenRoutes, requireOwnAccount } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { changeSetting } from './change-setting.ts';
import { closeAccount } from './closing/close-account.ts';
import { activate } from './opening/activate.ts';
import { register } from './opening/register.ts';
import { readProfile } from './read-profile.ts';
import { confirmPassword } from './sessions/confirm-password.ts';
import { forgotPassword } from './sessions/forgot-password.ts';
import { logIn } from './sessions/log-in.ts';
import { logOut } from './sessions/log-out.ts';
import { resetPassword } from './sessions/reset-password.ts';
import { markConfirmed } from './sessions/session-store.ts';

export const openAccountRoutes = (deps: AccountsDeps): OpenRoutes => ({
  'POST /account/login': ({ body, language, address }) => logIn(deps, { ...body, language, address }),
  'POST /account/register': async ({ body, language, address }) => {
    await register(deps, { ...body, language, address });
    return { message: text(language, 'account.registered') };
  },
  'POST /account/forgotPassword': async ({ body, language, address }) => {
    await forgotPassword(deps, { ...body, language, address });
    return { message: text(language, 'account.resetMailSent') };
  },
  'POST /account/resetPassword': ({ body, language, address }) =>
    resetPassword(deps, { ...body, language, address }),
  'POST /activate': ({ body, address }) => activate(deps, { ...body, address }),
});

/** `callsFor` says what admins of a role may call. */
export const accountRoutes = (
  { db, webhooks, ...deps }: AccountsDeps,
  callsFor: (role: AdminRole) => string[] = () => [],
): CallerRoutes => ({
  'POST /account/logout': async ({ caller, language }) => {
    await logOut(db, caller.sessionHash);
    return { message: text(language, 'account.loggedOut') };
  },
  'GET /account/me/profile': async ({ caller: { accountId, viewer }, language }) => {
    const profile = await readProfile({ db, ...deps }, accountId, language);
    return {
      ...profile,
      ...(profile.adminRole && { calls: callsFor(profile.adminRole) }),
      ...(viewer && { view: { mayChange: viewer.mayChange, until: viewer.until.toISOString() } }),
    };
  },
  'PUT /account/:accountId/setting': async ({ caller, params, body, language }) => {
    requireOwnAccount(caller, params.accountId);
    await changeSetting({ db, ...(webhooks && { webhooks }) }, caller.accountId, body);
    return { message: text(language, 'settings.updated') };
  },
  'POST /account/:accountId/confirmPassword': async ({ caller, params, body, language, address }) => {
    requireOwnAccount(caller, params.accountId);
    await confirmPassword({ db, ...deps }, { ...params, ...body, address });
    await markConfirmed(db, caller.sessionHash);
    return { message: text(language, 'account.confirmed') };
  },
  'POST /account/:accountId/close': async ({ caller, params, body, language, address }) => {
    requireOwnAccount(caller, params.accountId);
    await closeAccount(
      { db, ...(webhooks && { webhooks }), ...deps },
      {
        ...params,
        ...body,
        language,
        address,
      },
    );
    return { message: text(language, 'account.closed') };
  },
});
