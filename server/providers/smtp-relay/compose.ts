import type { Outgoing } from '../../traffic/lanes/index.ts';
import { readMailAddress } from './address.ts';
import { type SmtpRefusal, smtpRefused } from './answers.ts';
import { type BounceKey, bounceAddress } from './bounce-address.ts';
import { type DkimKey, dkimHeaders, type MailHeader } from './dkim.ts';
import { encodeBody } from './encode-body.ts';
import { encodeHeaderText } from './encode-header.ts';
import type { MailTransaction } from './letter.ts';
import { type Operator, openMailSenders } from './sender.ts';

export interface ComposeOptions {
  operator: Operator;
  bounces: BounceKey | undefined;
  dkim: readonly DkimKey[];
  /** The address at which the recipient can unsubscribe. */
  unsubscribeUrl: ((message: Outgoing) => string) | undefined;
}

export type Composed = Omit<MailTransaction, 'settle'>;

const SUBJECT_AT = 'Subject: '.length;
const BAD_RECIPIENT = smtpRefused('INVALID_RECIPIENT', 'The recipient is no email address.');
/** From here on it costs CPU to spell it out for each message. */
const DATE_MS = 1_000;

const openClock = () => {
  let [second, text] = [0, ''];
  return (): string => {
    const now = Date.now();
    if (now - second >= DATE_MS || now < second) {
      second = now - (now % DATE_MS);
      text = new Date(second).toUTCString().replace('GMT', '+0000');
    }
    return text;
  };
};

const part = (type: 'plain' | 'html', text: string): { headers: MailHeader[]; body: string } => {
  const { encoding, body } = encodeBody(text);
  return {
    headers: [
      ['Content-Type', `text/${type}; charset=utf-8`],
      ['Content-Transfer-Encoding', encoding],
    ],
    body,
  };
};

const inLines = (headers: readonly MailHeader[]): string => {
  let lines = '';
  for (const [name, value] of headers) lines += `${name}: ${value}\r\n`;
  return lines;
};

/** Text, HTML or both, the better one last: RFC 2046, 5.1.4. */
const contentOf = ({ id, text, html }: Outgoing): { headers: MailHeader[]; body: string } => {
  if (!html) return part('plain', text);
  if (text.trim() === '') return part('html', html);
  // Quoted-printable and base64 never hold '=_', and nobody knows the id of a message before it is accepted.
  const boundary = `=_${id}`;
  const parts = [part('plain', text), part('html', html)];
  const body = parts.map(({ headers, body }) => `--${boundary}\r\n${inLines(headers)}\r\n${body}`).join('');
  return {
    headers: [['Content-Type', `multipart/alternative; boundary="${boundary}"`]],
    body: `${body}--${boundary}--\r\n`,
  };
};

/** RFC 5321, 4.5.2. */
const doubleDots = (text: string): string =>
  text.includes('\r\n.') ? text.replaceAll('\r\n.', '\r\n..') : text;

/** RFC 8058: one click works over https only, and says so in a header of its own. */
const unsubscribeHeaders = (url: string): MailHeader[] => [
  ['List-Unsubscribe', `<${url}>`],
  ...(url.startsWith('https:') ? [['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'] as const] : []),
];

/** Makes what is sent of a message; a promise only where it is signed. */
export const openComposer = ({ operator, bounces, dkim, unsubscribeUrl }: ComposeOptions) => {
  const senderOf = openMailSenders(operator);
  const now = openClock();
  const idDomain = bounces?.domain ?? operator.address.domain;

  return (message: Outgoing): Composed | SmtpRefusal | Promise<Composed> => {
    const to = readMailAddress(message.recipient);
    if (!to) return BAD_RECIPIENT;
    const sender = senderOf(message.from);
    if ('outcome' in sender) return sender;
    const messageId = `${message.id}@${idDomain}`;
    const content = contentOf(message);
    // One octet a character from here on.
    const recipient = to.utf8 ? Buffer.from(to.address).toString('latin1') : to.address;
    const headers: MailHeader[] = [
      ['From', sender.from],
      ['To', recipient],
      ['Date', now()],
      ['Message-ID', `<${messageId}>`],
      ['MIME-Version', '1.0'],
      ...content.headers,
    ];
    if (message.subject) headers.push(['Subject', encodeHeaderText(message.subject, SUBJECT_AT)]);
    if (sender.replyTo !== undefined) headers.push(['Reply-To', sender.replyTo]);
    if (unsubscribeUrl) headers.push(...unsubscribeHeaders(unsubscribeUrl(message)));

    const finish = (signatures: readonly MailHeader[]): Composed => {
      const text = `${inLines(signatures)}${inLines(headers)}\r\n${content.body}`;
      return {
        from: bounces ? bounceAddress(bounces, message.id) : operator.address.address,
        to: recipient,
        octets: text.length,
        data: `${doubleDots(text)}.\r\n`,
        utf8: to.utf8,
        messageId,
      };
    };
    return dkim.length === 0 ? finish([]) : dkimHeaders(dkim, headers, content.body).then(finish);
  };
};
