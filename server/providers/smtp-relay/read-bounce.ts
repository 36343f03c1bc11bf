import PostalMime, { type Attachment, type Email } from 'postal-mime';

/** What a mail to a bounce address says of the message that it is about. */
interface Bounce {
  state: 'delivered' | 'failed' | 'enroute';
  code: string;
}

/** RFC 3464, 2.3.3. */
const STATES: Record<string, Bounce['state']> = {
  failed: 'failed',
  delayed: 'enroute',
  delivered: 'delivered',
  relayed: 'enroute',
  expanded: 'enroute',
};
/** The more it says, the later. */
const RANK: Bounce['state'][] = ['enroute', 'delivered', 'failed'];

const MAILERS = /^(mailer-?daemon|mail-?daemon|postmaster|bounces?|mdaemon)$/i;
const STATUS = /\b([45]\.\d{1,3}\.\d{1,3})\b/;
const BAD_NEWS =
  /undeliver|not (?:be )?deliver|delivery (?:has )?fail|fail(?:ed|ure) (?:notice|to deliver|delivery)|returned mail|returned to sender|permanent (?:fatal )?error|user unknown|no such user|mailbox (?:is )?full|address rejected|\b55\d[ -]/i;
const BOUNCED = 'BOUNCED';
/** A bounce may be long; the reason is near its start. */
const TEXT_READ = 10_000;

const textOf = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('latin1');

/** The fields of each block, unfolded; blocks have an empty line between. */
const blocksOf = (text: string): Map<string, string>[] =>
  text
    .slice(0, TEXT_READ)
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((block) => {
      const fields = new Map<string, string>();
      for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
        const colon = line.indexOf(':');
        if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
      }
      return fields;
    });

/** A report of RFC 3464. Ours have one recipient, but a mailing list behind it may report on many. */
const readReport = (report: Attachment): Bounce | undefined => {
  const bounces = blocksOf(textOf(report)).flatMap((fields) => {
    const action = /^[a-z]+/i.exec(fields.get('action') ?? '')?.[0].toLowerCase() ?? '';
    const state = STATES[action];
    if (!state) return [];
    const code = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(fields.get('status') ?? '')?.[1];
    return [{ state, code: state === 'failed' ? (code ?? BOUNCED) : (code ?? '') }];
  });
  return bounces.sort((a, b) => RANK.indexOf(b.state) - RANK.indexOf(a.state))[0];
};

const header = (mail: Email, name: string): string =>
  mail.headers.find(({ key }) => key === name)?.value.toLowerCase() ?? '';

/** An out-of-office reply: RFC 3834. It goes to the envelope sender too, and is not a failure. */
const isAutoReply = (mail: Email): boolean =>
  header(mail, 'auto-submitted').startsWith('auto-replied') ||
  header(mail, 'x-autoreply') !== '' ||
  header(mail, 'x-autorespond') !== '';

/** Servers without RFC 3464 send a plain mail. */
const readLetter = (mail: Email): Bounce | undefined => {
  if (isAutoReply(mail)) return undefined;
  const text = `${mail.subject ?? ''}\n${(mail.text ?? mail.html ?? '').slice(0, TEXT_READ)}`;
  const isFromMailer = MAILERS.test(mail.from?.address?.split('@')[0] ?? '');
  if (!BAD_NEWS.test(text) && !(isFromMailer && STATUS.test(text))) return undefined;
  if (!isFromMailer && !STATUS.test(text)) return undefined;
  const code = STATUS.exec(text)?.[1] ?? BOUNCED;
  // A warning about a delay is not a failure yet.
  if (/^4\./.test(code) && /delay|will (?:be )?(?:retry|retried|keep trying)|still trying/i.test(text))
    return { state: 'enroute', code };
  return { state: 'failed', code };
};

/** Undefined if it says nothing about a delivery. Never throws: anybody may write anything to that address. */
export const readBounce = async (raw: Buffer): Promise<Bounce | undefined> => {
  try {
    const mail = await PostalMime.parse(raw, { maxNestingDepth: 20, maxHeadersSize: 256 * 1024 });
    const report = mail.attachments.find(({ mimeType }) =>
      /^message\/(global-)?delivery-status$/i.test(mimeType),
    );
    return report ? readReport(report) : readLetter(mail);
  } catch {
    return undefined;
  }
};
