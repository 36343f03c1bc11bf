export { compose, type Letter } from './compose.ts';
export { escapeHtml } from './escape-html.ts';
export type { Mail, Mailer, MailOutcome } from './mailer.ts';
