export type { AccountsDeps } from './accounts-deps.ts';
export {
  adminAccountRoutes,
  adminInvitationRoutes,
  adminRoutes,
  supportRoutes,
} from './admins/admin-routes.ts';
export { readRole } from './admins/admin-store.ts';
export { changeSetting } from './change-setting.ts';
export { anonymiseAccount } from './closing/anonymise-account.ts';
export {
  type ClosedStage,
  holdClosed,
  isAnonymised,
  isOpen,
  isOpenAccount,
  listClosedBefore,
  listEverClosedBefore,
  writeForgotten,
} from './closing/close-store.ts';
export { reopenAccount } from './closing/reopen-account.ts';
export { REOPEN_DAYS } from './mails/mail-texts.ts';
export { createAccount } from './opening/create-account.ts';
export { type ProfileDeps, readProfile } from './read-profile.ts';
export { accountRoutes, openAccountRoutes } from './routes.ts';
export { endOldSecret } from './secrets/end-old-secret.ts';
export { openSenderSearch } from './secrets/find-sender.ts';
export { maskSecret } from './secrets/mask-secret.ts';
export { listOldSecrets } from './secrets/old-secret-store.ts';
export { readSecrets } from './secrets/read-secrets.ts';
export { rotateApiSecret } from './secrets/rotate-secret.ts';
export { openSealedSecret, sealSecret } from './secrets/seal-secret.ts';
export { confirmPassword } from './sessions/confirm-password.ts';
export { logIn } from './sessions/log-in.ts';
export { openPasswords } from './sessions/password.ts';
export { findAdminSession, findSession, isConfirmed } from './sessions/session.ts';
export { isToken } from './sessions/token.ts';
export { findByEmail, findByEmailPart, findContact, findUnknownAccount, readEmails } from './store.ts';
export { accountTasks } from './tasks.ts';
