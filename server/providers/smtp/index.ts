export { type SmtpOptions, smtpMailer } from './smtp-mailer.ts';
