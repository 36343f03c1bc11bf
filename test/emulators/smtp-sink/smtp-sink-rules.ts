/** RFC 5321, 4.5.3.1.6, without CR and LF. */
const MAX_LINE = 998;

const hasLongLine = (text: string): boolean => {
  let start = 0;
  for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n', start)) {
    if (end - start > MAX_LINE) return true;
    start = end + 2;
  }
  return text.length - start > MAX_LINE;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, with them.
const NOT_ASCII = /[^\x00-\x7f]/;
const FIELD = /^[\x21-\x39\x3b-\x7e]+:/;

const headerFault = (header: string, utf8: boolean): string | undefined => {
  const fields = header.replace(/\r\n[ \t]+(?=\S)/g, ' ').split('\r\n');
  const strange = fields.find((field) => !FIELD.test(field));
  if (strange !== undefined) return `5.6.0 a header without a name: ${strange.slice(0, 40)}`;
  const count = (name: string): number =>
    fields.filter((field) => field.toLowerCase().startsWith(`${name}:`)).length;
  for (const name of ['date', 'from'])
    if (count(name) !== 1) return `5.6.0 there must be one ${name} (RFC 5322, 3.6)`;
  for (const name of ['to', 'subject', 'message-id', 'reply-to', 'mime-version', 'content-type'])
    if (count(name) > 1) return `5.6.0 there may be one ${name} (RFC 5322, 3.6)`;
  if (!utf8 && NOT_ASCII.test(header)) return '5.6.7 a header is not ASCII (RFC 6531)';
  return undefined;
};

/** The rule of the RFCs that a message breaks, its dots still doubled; undefined if none. */
export const contentFault = (
  content: string,
  { utf8, eightBit, quick }: { utf8: boolean; eightBit: boolean; quick: boolean },
): string | undefined => {
  if (/(?:^|[^\r])\n|\r(?!\n)/.test(content)) return '5.6.0 a CR or an LF alone (RFC 5321, 2.3.8)';
  if (hasLongLine(content)) return '5.6.0 a line above 998 octets (RFC 5321, 4.5.3.1.6)';
  if (content.includes('\0')) return '5.6.0 a NUL (RFC 5322, 2.3)';
  const end = content.indexOf('\r\n\r\n');
  const header = end < 0 ? content : content.slice(0, end);
  if (quick) return /^date:/im.test(header) && /^from:/im.test(header) ? undefined : '5.6.0 no Date or From';
  if (!eightBit && end >= 0 && NOT_ASCII.test(content.slice(end))) return '5.6.3 a body of 8 bits (RFC 6152)';
  return headerFault(header.replace(/\r\n$/, ''), utf8);
};

export interface Envelope {
  address: string;
  parameters: Map<string, string>;
}

/** `FROM:<address> NAME=value`, as RFC 5321, 4.1.2 spells it; undefined if it is not valid. */
export const readPath = (keyword: 'FROM' | 'TO', rest: string): Envelope | undefined => {
  const found =
    /^(FROM|TO):<((?:"[^"\\]*"|[^<>\s"])*)>((?: [A-Za-z0-9][A-Za-z0-9-]*(?:=[\x21-\x3c\x3e-\x7e]+)?)*)$/i.exec(
      rest,
    );
  if (!found || found[1]?.toUpperCase() !== keyword) return undefined;
  const address = found[2] ?? '';
  if (address !== '' && !/^.+@[^@]+$/.test(address)) return undefined;
  const parameters = (found[3] ?? '')
    .split(' ')
    .filter(Boolean)
    .map((one) => one.split('=') as [string, string?])
    .map(([name, value = '']) => [name.toUpperCase(), value] as const);
  return { address, parameters: new Map(parameters) };
};

export const isAscii = (text: string): boolean => !NOT_ASCII.test(text);
