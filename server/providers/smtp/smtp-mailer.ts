import { createTransport } from 'nodemailer';
import type { Mailer } from '../../ground/mail/index.ts';

interface SmtpOptions {
  /** smtp:// (STARTTLS where the server offers it) or smtps://, with user and password. */
  url: string;
  from: string;
  /** For tests: how long to wait for a silent server. */
  timeoutMs?: number;
}

const CONNECTIONS = 5;

/**
 * RFC 5321: answers from 500 on are final. Only those to the recipient or the mail itself count; a refused sender or
 * login is a fault of the settings, which the operator may still fix.
 */
const isForGood = (error: unknown): error is Error & { responseCode: number } => {
  const { responseCode, code, command } = error as { responseCode?: number; code?: string; command?: string };
  return responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || code === 'EMESSAGE');
};

export const smtpMailer = ({ url, from, timeoutMs = 20_000 }: SmtpOptions): Mailer => {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs * 3,
    // A mail consists of our own texts: nothing in it may name a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text, html, language, messageId }) => {
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${messageId}>`,
          headers: { 'Content-Language': language.replace('_', '-'), 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        if (!isForGood(error)) throw error;
        return { outcome: 'refused', reason: `the mail server answered ${error.responseCode}` };
      }
      return { outcome: 'accepted' };
    },
    close: async () => transport.close(),
  };
};
