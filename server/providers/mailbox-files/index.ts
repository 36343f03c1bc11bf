export { mailboxFilesMailer } from './mailbox-files-mailer.ts';
