export { listMailsBefore, removeMail } from './forget-mails.ts';
export { type MailboxDeps, mailboxRoutes } from './routes.ts';
