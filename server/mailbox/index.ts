export { type MailboxDeps, mailboxRoutes } from './routes.ts';
