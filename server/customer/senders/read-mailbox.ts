import { domainToASCII } from 'node:url';
import { hasFullWidth } from '../../../contract/ground/constants.ts';

/** Who an email is from: a name, an address, or both. */
export interface SenderMailbox {
  name: string;
  /** Its domain is in small ASCII letters; the part before it is as it was typed, because servers may tell cases apart. */
  address: string | undefined;
  domain: string;
}

/** RFC 5321, 4.5.3.1. */
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A name must not look like an address, nor end one. */
const NO_NAME = /[<>"\\@＠﹫\p{Cc}]/u;
const NAME_MAX_LENGTH = 60;

/** In small ASCII letters, so that the same domain in another script or case is the same; undefined if it is none. */
export const readDomain = (typed: string): string | undefined => {
  if (hasFullWidth(typed)) return undefined;
  const domain = domainToASCII(typed.trim().toLowerCase());
  const labels = domain.split('.');
  const isDomain =
    domain.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    /[a-z]/.test(labels.at(-1) ?? '');
  return isDomain ? domain : undefined;
};

export const readSenderAddress = (typed: string): { address: string; domain: string } | undefined => {
  const at = typed.lastIndexOf('@');
  const local = typed.slice(0, Math.max(0, at));
  const domain = readDomain(typed.slice(at + 1));
  if (domain === undefined || local.length > MAX_LOCAL || !LOCAL.test(local)) return undefined;
  const address = `${local}@${domain}`;
  return address.length <= MAX_ADDRESS ? { address, domain } : undefined;
};

/** Undefined if it can't be a name; an empty one is none. */
const readName = (typed: string): string | undefined => {
  const name = typed
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .trim();
  return name.length <= NAME_MAX_LENGTH && !NO_NAME.test(name) ? name : undefined;
};

/** `Name <address>`, or either alone; undefined if it is neither. */
export const readSenderMailbox = (typed: string): SenderMailbox | undefined => {
  const text = typed.trim().normalize('NFC');
  const bracket = text.endsWith('>') ? text.lastIndexOf('<') : -1;
  if (bracket < 0 && !text.includes('@')) {
    const name = readName(text);
    return name ? { name, address: undefined, domain: '' } : undefined;
  }
  const name = bracket < 0 ? '' : readName(text.slice(0, bracket));
  const read = readSenderAddress(bracket < 0 ? text : text.slice(bracket + 1, -1));
  return read && name !== undefined ? { name, ...read } : undefined;
};

/** The mailbox that an address leads to: neither case nor a tag makes a difference to who gets the mails. */
export const mailboxKey = (address: string): string => {
  const at = address.lastIndexOf('@');
  const [mailbox = ''] = address.slice(0, at).split('+');
  return `${mailbox}${address.slice(at)}`.toLowerCase();
};
