import type { SenderKind } from '../../../contract/customer/senders.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { senderNumber } from '../../ground/recipients/index.ts';
import { readDomain, readSenderAddress, readSenderMailbox } from './read-mailbox.ts';

interface NamedSender {
  kind: SenderKind;
  sender: string;
}

/** What phones show instead of a number: up to 11 characters by 3GPP TS 23.040, up to 20 by some carriers. */
const NAME = /^(?=.*[A-Za-z])[\x20-\x7e]{1,20}$/;

const invalid = (): DomainError => new DomainError('E_SENDER_INVALID');

/** What the owner of an account adds: an email address or a domain. */
export const readOwnSender = (typed: string): NamedSender => {
  const text = typed.trim();
  const address = readSenderAddress(text)?.address;
  if (address !== undefined) return { kind: 'address', sender: address };
  const domain = text.replace(/^@/, '').includes('@') ? undefined : readDomain(text.replace(/^@/, ''));
  if (domain === undefined) throw new DomainError('E_SENDER_INVALID');
  return { kind: 'domain', sender: domain };
};

/** What an admin gives: for email also a name, which is put before the operator's address. */
export const readGivenSender = (channel: Channel, typed: string): NamedSender => {
  const text = typed.trim();
  if (channel === 'email') {
    if (/[@.]/.test(text)) return readOwnSender(text);
    const name = readSenderMailbox(text)?.name;
    if (!name) throw invalid();
    return { kind: 'name', sender: name };
  }
  const number = senderNumber(text);
  if (number !== undefined) return { kind: 'number', sender: number };
  if (!NAME.test(text)) throw invalid();
  return { kind: 'name', sender: text };
};
