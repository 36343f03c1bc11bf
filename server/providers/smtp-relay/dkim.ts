import { createHash, createPrivateKey, hash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

export interface DkimKey {
  domain: string;
  selector: string;
  key: KeyObject;
}

/** A header's name and its value as it is sent, folds and all. */
export type MailHeader = readonly [name: string, value: string];

const ALGORITHMS: Record<string, string> = { rsa: 'rsa-sha256', ed25519: 'ed25519-sha256' };
/** Named once more than they are there, so that nobody can add another: RFC 6376, 8.15. */
const SEALED = ['From', 'To', 'Subject', 'Date', 'Message-ID', 'Reply-To'];
const LINE = 72;

const signAway = promisify(sign) as (
  algorithm: string | null,
  data: Buffer,
  key: KeyObject,
) => Promise<Buffer>;

/** Its errors contain nothing of the key. */
export const readDkimKey = (pem: string | Buffer): KeyObject => {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new Error('it holds no private key in PEM');
  }
  if (!ALGORITHMS[key.asymmetricKeyType ?? '']) throw new Error('it must hold an RSA or an Ed25519 key');
  if ((key.asymmetricKeyDetails?.modulusLength ?? 2_048) < 1_024) throw new Error('the key is too short');
  return key;
};

/** RFC 6376, 3.4.2: relaxed. */
const canonicalHeader = ([name, value]: MailHeader): string =>
  `${name.toLowerCase()}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;

const [CR, LF, SPACE, TAB] = [13, 10, 32, 9];

/**
 * RFC 6376, 3.4.4: relaxed. Octet by octet, because a body may have half a million lines: line ends and blanks wait
 * until something follows them.
 */
export const canonicalBody = (body: string): Buffer => {
  const octets = Buffer.from(body, 'latin1');
  const { length } = octets;
  const out = Buffer.allocUnsafe(length + 2);
  let [at, ends] = [0, 0];
  let isBlank = false;
  for (let index = 0; index < length; index += 1) {
    const octet = octets[index] as number;
    if (octet === CR && octets[index + 1] === LF) {
      index += 1;
      ends += 1;
      isBlank = false;
    } else if (octet === SPACE || octet === TAB) isBlank = true;
    else {
      for (; ends > 0; ends -= 1) {
        out[at++] = CR;
        out[at++] = LF;
      }
      if (isBlank) out[at++] = SPACE;
      isBlank = false;
      out[at++] = octet;
    }
  }
  if (at > 0) {
    out[at++] = CR;
    out[at++] = LF;
  }
  return out.subarray(0, at);
};

const folded = (text: string): string => text.match(new RegExp(`.{1,${LINE}}`, 'g'))?.join('\r\n ') ?? '';

const signWith = async (
  { domain, selector, key }: DkimKey,
  headers: readonly MailHeader[],
  bodyHash: string,
): Promise<MailHeader> => {
  const kind = key.asymmetricKeyType ?? '';
  const names = [...headers.map(([name]) => name), ...SEALED].map((name) => name.toLowerCase());
  const lines = [
    `v=1; a=${ALGORITHMS[kind]}; c=relaxed/relaxed; d=${domain}; s=${selector};`,
    `t=${Math.floor(Date.now() / 1_000)}; bh=${bodyHash};`,
    `h=${folded(names.join(':'))};`,
    'b=',
  ];
  const unsigned = lines.join('\r\n ');
  // Of several headers with one name the last is taken first: ours have each name once.
  const told = [...headers, ['DKIM-Signature', unsigned] as const].map(canonicalHeader).join('\r\n');
  const data = Buffer.from(told, 'latin1');
  const signature =
    kind === 'rsa'
      ? await signAway('sha256', data, key)
      : await signAway(null, createHash('sha256').update(data).digest(), key);
  return ['DKIM-Signature', unsigned + folded(signature.toString('base64'))];
};

/** The signatures of these keys, to stand before everything else. Headers and body have one octet a character. */
export const dkimHeaders = (
  keys: readonly DkimKey[],
  headers: readonly MailHeader[],
  body: string,
): Promise<MailHeader[]> => {
  const bodyHash = hash('sha256', canonicalBody(body), 'base64');
  return Promise.all(keys.map((key) => signWith(key, headers, bodyHash)));
};
