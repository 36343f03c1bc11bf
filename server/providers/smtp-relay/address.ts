import { domainToASCII } from 'node:url';

/** An address as it may stand between angle brackets. */
export interface MailAddress {
  address: string;
  domain: string;
  /** It needs RFC 6531: its local part is not ASCII. */
  utf8: boolean;
}

/** RFC 5321, 4.5.3.1: octets. */
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;

const LOCAL = /^(?:[^\s<>()[\]\\.,;:@"\p{Cc}]+(?:\.[^\s<>()[\]\\.,;:@"\p{Cc}]+)*|"[^"\\\p{Cc}]+")$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LITERAL = /^\[\d{1,3}(?:\.\d{1,3}){3}\]$/;
const PLAIN = /^([a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64})@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, with them.
const NOT_ASCII = /[^\x00-\x7f]/;

/** Label by label: one expression for all of them could take long on a hostile text. */
const isDomain = (text: string): boolean => text.split('.').every((label) => LABEL.test(label));

/** Undefined if it is none; nothing that could end a line or a bracket gets through. A Unicode domain is spelled in ASCII. */
export const readMailAddress = (text: string): MailAddress | undefined => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const typed = text.slice(at + 1);
  if (at < 1 || Buffer.byteLength(local) > MAX_LOCAL || !LOCAL.test(local)) return undefined;
  const domain =
    LITERAL.test(typed) || (PLAIN.test(text) && !/xn--/i.test(typed))
      ? typed.toLowerCase()
      : domainToASCII(typed);
  if (!LITERAL.test(domain) && !isDomain(domain)) return undefined;
  const address = `${local}@${domain}`;
  if (Buffer.byteLength(address) > MAX_ADDRESS) return undefined;
  return { address, domain, utf8: NOT_ASCII.test(local) };
};

/** A name as it may stand before an address: in quotes, or without any that end it. */
const readName = (text: string): string | undefined => {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1').trim();
  return /[<>"]/.test(text) ? undefined : text;
};

/** A name with its address, `Name <address>` or either alone; undefined if it is neither. */
export const readHeaderMailbox = (
  text: string,
): { name: string; address: MailAddress | undefined } | undefined => {
  const alone = text.trim();
  const bracket = alone.lastIndexOf('<');
  const name = bracket < 0 ? undefined : readName(alone.slice(0, bracket).trim());
  if (name !== undefined && alone.endsWith('>')) {
    const address = readMailAddress(alone.slice(bracket + 1, -1));
    return address && { name, address };
  }
  if (!alone.includes('@')) return /[<>]/.test(alone) ? undefined : { name: alone, address: undefined };
  const address = readMailAddress(alone);
  return address && { name: '', address };
};
