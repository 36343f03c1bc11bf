export type { AccountsDeps } from './accounts-deps.ts';
export { adminAccountRoutes, adminInvitationRoutes, adminRoutes, supportRoutes } from './admin-routes.ts';
export { readRole } from './admin-store.ts';
export { anonymiseAccount } from './anonymise-account.ts';
export { changeSetting } from './change-setting.ts';
export {
  type ClosedStage,
  holdClosed,
  isAnonymised,
  isOpen,
  isOpenAccount,
  listClosedBefore,
  listEverClosedBefore,
  writeForgotten,
} from './close-store.ts';
export { confirmPassword } from './confirm-password.ts';
export { createAccount } from './create-account.ts';
export { endOldSecret } from './end-old-secret.ts';
export { openSenders } from './find-sender.ts';
export { logIn } from './log-in.ts';
export { REOPEN_DAYS } from './mail-texts.ts';
export { maskSecret } from './mask-secret.ts';
export { listOldSecrets } from './old-secret-store.ts';
export { openPasswords } from './password.ts';
export { readProfile } from './read-profile.ts';
export { readSecrets } from './read-secrets.ts';
export { reopenAccount } from './reopen-account.ts';
export { rotateSecret } from './rotate-secret.ts';
export { accountRoutes, openAccountRoutes } from './routes.ts';
export { openSealedSecret, sealSecret } from './seal-secret.ts';
export { findAdmin, findSession, isConfirmed } from './session.ts';
export { findByEmail, findByEmailPart, findContact, findUnknownAccount, readEmails } from './store.ts';
export { accountTasks } from './tasks.ts';
export { isToken } from './token.ts';
