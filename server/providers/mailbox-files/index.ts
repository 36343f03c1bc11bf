export { type MailboxFilesOptions, mailboxFilesMailer } from './mailbox-files-mailer.ts';
