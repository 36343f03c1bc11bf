export type { AccountsDeps } from './accounts-deps.ts';
export { adminAccountRoutes } from './admin-routes.ts';
export { createAccount } from './create-account.ts';
export { type FindSender, openSenders } from './find-sender.ts';
export { openPasswords } from './password.ts';
export { accountRoutes, openAccountRoutes } from './routes.ts';
export { findSession } from './session.ts';
export { findByEmail, findContact } from './store.ts';
export { accountTasks } from './tasks.ts';
