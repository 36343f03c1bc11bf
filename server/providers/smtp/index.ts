export { smtpMailer } from './smtp-mailer.ts';
