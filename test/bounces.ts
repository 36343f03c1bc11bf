import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';

/** A report of RFC 3464, as Postfix writes it. */
export const reportOf = (state: 'failed' | 'delivered' | 'delayed', status: string): string =>
  [
    'From: MAILER-DAEMON@mx.example.com (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'Date: Tue, 01 Jul 2025 10:52:37 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--b',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'Your message could not be delivered.',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    'Arrival-Date: Tue, 01 Jul 2025 10:52:30 +0000',
    '',
    'Final-Recipient: rfc822; somebody@example.com',
    `Action: ${state}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 5.1.1 <somebody@example.com>: Recipient address',
    ' rejected: User unknown',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'From: post@sender.example',
    'Subject: Undelivered? Status: 5.9.9',
    '',
    'Action: failed',
    '--b--',
    '',
  ].join('\r\n');

/** Delivers a mail to a bounce address, once. Throws if the receiver refuses it. */
export const bringBounce = async (
  port: number,
  to: string,
  raw: string,
  { from = '', localAddress = '127.0.0.1' } = {},
): Promise<void> => {
  const transport = createTransport({ host: '127.0.0.1', port, localAddress, ignoreTLS: true });
  try {
    await transport.sendMail({ envelope: { from, to }, raw });
  } finally {
    transport.close();
  }
};

/** As mail servers do: a deferred mail is sent again. */
export const insistOnBounce = async (
  port: number,
  to: string,
  raw: string,
  localAddress?: string,
): Promise<void> => {
  for (let tries = 0; ; tries += 1)
    try {
      return await bringBounce(port, to, raw, { ...(localAddress && { localAddress }) });
    } catch (error) {
      const { responseCode = 0 } = error as { responseCode?: number };
      if (responseCode >= 500 || tries > 200) throw error;
      await sleep(20);
    }
};
