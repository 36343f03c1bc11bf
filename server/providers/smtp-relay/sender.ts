import { type MailAddress, readHeaderMailbox } from './address.ts';
import { type SmtpRefusal, smtpRefused } from './answers.ts';
import { encodeMailbox } from './encode-header.ts';

/** Who a mail is from, as its headers say. */
interface SenderHeaders {
  from: string;
  replyTo: string | undefined;
}

export interface Operator {
  name: string;
  address: MailAddress;
  /** Domains that the mail server may send for; * for all. */
  domains: readonly string[];
}

const FROM_AT = 'From: '.length;
const REPLY_AT = 'Reply-To: '.length;
const UNREADABLE = smtpRefused('INVALID_SENDER', 'The sender is neither a name nor an email address.');

/**
 * Accounts name only senders that are theirs, which was checked when the message was accepted. A name is put before the
 * operator's address, and an address becomes the reply address unless the mail server may send for its domain. A name
 * may not look like an address.
 */
export const openMailSenders = (operator: Operator) => {
  const own = (name: string): string => encodeMailbox(name, operator.address.address, FROM_AT);
  const usual: SenderHeaders = { from: own(operator.name), replyTo: undefined };
  return (wanted: string | undefined): SenderHeaders | SmtpRefusal => {
    if (!wanted) return usual;
    const read = readHeaderMailbox(wanted);
    if (!read || read.address?.utf8) return UNREADABLE;
    const name = /[@＠﹫]/u.test(read.name) ? '' : read.name;
    const { address } = read;
    if (!address) return { from: own(name || operator.name), replyTo: undefined };
    if (address.address === operator.address.address)
      return { from: own(name || operator.name), replyTo: undefined };
    if (operator.domains.includes('*') || operator.domains.includes(address.domain))
      return { from: encodeMailbox(name, address.address, FROM_AT), replyTo: undefined };
    return {
      from: own(name || operator.name),
      replyTo: encodeMailbox(name, address.address, REPLY_AT),
    };
  };
};
