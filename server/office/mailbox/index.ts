export { listMailsBefore, removeMail } from './erase-mails.ts';
export { type MailboxDeps, mailboxRoutes } from './routes.ts';
