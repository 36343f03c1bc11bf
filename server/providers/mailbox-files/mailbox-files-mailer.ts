import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mailer } from '../../ground/mail/index.ts';

interface MailboxFilesOptions {
  folder: string;
  from: string;
  now?: () => Date;
}

/** Sorts by time; the random part keeps two mails of one millisecond apart. */
const fileName = (at: Date) =>
  `${at.toISOString().replace(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}.eml`;

/** Keeps each mail as a file that only its owner may read: it may hold a link that signs in. */
export const mailboxFilesMailer = ({ folder, from, now = () => new Date() }: MailboxFilesOptions): Mailer => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    send: async ({ to, subject, text, html, language, messageId }) => {
      const date = now();
      const { message } = await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        date,
        messageId: `<${messageId}>`,
        headers: { 'Content-Language': language.replace('_', '-'), 'Auto-Submitted': 'auto-generated' },
      });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, fileName(date));
      // Written under another name first, so that a reader never sees half a mail.
      const part = `${path}.part`;
      try {
        await writeFile(part, message, { mode: 0o600, flag: 'wx', flush: true });
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      return { outcome: 'accepted' };
    },
    close: async () => {},
  };
};
