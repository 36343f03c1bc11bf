export { compose, type Letter } from './compose.ts';
export type { Mail, Mailer, MailOutcome } from './mailer.ts';
