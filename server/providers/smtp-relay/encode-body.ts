/** A text as the body of a mail, in lines that end with CR and LF, the last one too. All ASCII. */
interface EncodedBody {
  encoding: '7bit' | 'quoted-printable' | 'base64';
  body: string;
}

const MAX_LINE = 76;
const [CR, LF, SPACE, TAB, EQUALS, F] = [13, 10, 32, 9, 61, 70];
const ROM = Buffer.from('rom ');
const HEX = Buffer.from('0123456789ABCDEF');

/** RFC 2045, 2.7, and what some servers change on the way: spaces at an end, a From at a start. */
const AS_IT_IS = /^[\t\r\n\x20-\x7e]*$/;
const CHANGES_ON_THE_WAY = /[ \t](?:\r\n|$)|(?:^|\n)From /;
const SENT_AS_IT_IS = 78;

const hasLongLine = (text: string): boolean => {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    if (end - 1 - start > SENT_AS_IT_IS) return true;
    start = end + 1;
  }
  return text.length - start > SENT_AS_IT_IS;
};

const withLineEnds = (text: string): string =>
  text.includes('\n') || text.includes('\r') ? text.replace(/\r\n?|\n/g, '\r\n') : text;

let scratch = Buffer.allocUnsafe(64 * 1024);

/** RFC 2045, 6.7. */
const quotedPrintable = (text: string): string => {
  const octets = Buffer.from(text);
  const most = octets.length * 3 + Math.ceil((octets.length * 3) / (MAX_LINE - 3)) * 3 + 16;
  if (scratch.length < most) scratch = Buffer.allocUnsafe(most);
  const out = scratch;
  const { length } = octets;
  let at = 0;
  let column = 0;
  for (let index = 0; index < length; index += 1) {
    const octet = octets[index] as number;
    if (octet === CR && octets[index + 1] === LF) {
      out[at++] = CR;
      out[at++] = LF;
      index += 1;
      column = 0;
      continue;
    }
    let plain = (octet > SPACE && octet < 127 && octet !== EQUALS) || octet === SPACE || octet === TAB;
    if (plain && octet <= SPACE) plain = index + 1 < length && octets[index + 1] !== CR;
    else if (octet === F && column === 0) plain = !octets.subarray(index + 1, index + 5).equals(ROM);
    if (column + (plain ? 1 : 3) > MAX_LINE - 1) {
      out[at++] = EQUALS;
      out[at++] = CR;
      out[at++] = LF;
      column = 0;
    }
    if (plain) {
      out[at++] = octet;
      column += 1;
    } else {
      out[at++] = EQUALS;
      out[at++] = HEX[octet >> 4] as number;
      out[at++] = HEX[octet & 15] as number;
      column += 3;
    }
  }
  return out.toString('latin1', 0, at);
};

const base64 = (text: string): string => {
  const encoded = Buffer.from(text).toString('base64');
  let lines = '';
  for (let at = 0; at < encoded.length; at += MAX_LINE) lines += `${encoded.slice(at, at + MAX_LINE)}\r\n`;
  return lines;
};

const withLastEnd = (body: string): string => (body.endsWith('\n') ? body : `${body}\r\n`);

export const encodeBody = (given: string): EncodedBody => {
  const text = withLineEnds(given);
  if (AS_IT_IS.test(text) && !hasLongLine(text) && !CHANGES_ON_THE_WAY.test(text))
    return { encoding: '7bit', body: withLastEnd(text) };
  // If few letters are outside ASCII, the rest stays readable; otherwise base64 is smaller.
  const isFew = (Buffer.byteLength(text) - text.length) * 6 < text.length;
  return isFew
    ? { encoding: 'quoted-printable', body: withLastEnd(quotedPrintable(text)) }
    : { encoding: 'base64', body: base64(text) };
};
