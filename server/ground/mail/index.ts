export type { MailContent } from './compose-mail.ts';
export { escapeHtml } from './escape-html.ts';
export { type MailTaskDeps, mailRequests, type WrittenMail } from './mail-requests.ts';
export type { Mail, Mailer, MailOutcome } from './mailer.ts';
export { writeLetter } from './write-letter.ts';
