import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { SenderKind } from '../../../contract/customer/senders.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { senderKey } from '../../ground/recipients/index.ts';
import { readSenderMailbox } from './read-mailbox.ts';
import { readVerified } from './store.ts';

/** A removed sender can be sent from for this much longer. */
const KEPT_MS = 5_000;
const KEPT_AT_MOST = 10_000;

interface Known {
  /** As `kind sender`. */
  own: ReadonlySet<string>;
  /** What the operator set for lanes that the account may use. */
  shared: ReadonlySet<string>;
}

/** Returns a sender as it is stored, in its one spelling; null for none. Throws if it is not one of the account's. */
export type SenderOf = (typed: string | undefined) => string | null;

/** Asks for the senders of an account, as far as these need it. */
export type OwnSenders = (asked: {
  accountId: AccountId;
  channel: Channel;
  typed: readonly (string | null | undefined)[];
}) => Promise<SenderOf>;

const keyOf = (kind: SenderKind, sender: string): string => `${kind} ${sender}`;

const judgeMailbox = ({ own, shared }: Known, typed: string): string | undefined => {
  const read = readSenderMailbox(typed);
  if (!read) return undefined;
  const { name, address, domain } = read;
  const isGivenName = name === '' || own.has(keyOf('name', name));
  if (address === undefined) return isGivenName ? name : undefined;
  const isOwn = own.has(keyOf('address', address)) || own.has(keyOf('domain', domain));
  // Whoever proved an address may put any name before it; the shared one is not theirs to name.
  if (!isOwn && !(shared.has(address) && isGivenName)) return undefined;
  return name === '' ? address : `${name} <${address}>`;
};

const judgePhone = ({ own, shared }: Known, typed: string): string | undefined => {
  const key = senderKey(typed);
  return own.has(keyOf('number', key)) || own.has(keyOf('name', key)) || shared.has(key) ? key : undefined;
};

const judge = (known: Known, channel: Channel, typed: string): string | undefined =>
  channel === 'email' ? judgeMailbox(known, typed) : judgePhone(known, typed);

/** PostgreSQL can't store NUL; a sender that has nothing else is none. */
const cleaned = (typed: string | null | undefined): string => typed?.replaceAll('\0', '').trim() ?? '';

/** For what never leaves, because it goes through a simulator. */
export const anySender: SenderOf = (typed) => cleaned(typed) || null;

const verdictOf =
  (known: Known, channel: Channel): SenderOf =>
  (typed) => {
    const sender = cleaned(typed);
    if (sender === '') return null;
    const own = judge(known, channel, sender);
    if (own === undefined)
      throw new DomainError(channel === 'email' ? 'E_SENDER_UNVERIFIED' : 'E_SENDER_NOT_GIVEN', { sender });
    return own;
  };

const NONE: Known = { own: new Set(), shared: new Set() };

/** Before anybody asked for the account's senders: whoever forgets to ask has none. */
export const noSender = (channel: Channel): SenderOf => verdictOf(NONE, channel);

/** What the operator set for lanes that an account may use. */
type ReadShared = (db: Db, of: { accountId: AccountId; channel: Channel }) => Promise<string[]>;

/** Only senders that exist are cached. Others are looked up each time, so that a new sender works at once. */
export const openOwnSenders = (db: Db, readShared: ReadShared): OwnSenders => {
  const kept = new Map<string, { known: Known; until: number }>();
  return async ({ accountId, channel, typed }) => {
    const asked = typed.map(cleaned).filter(Boolean);
    if (asked.length === 0) return noSender(channel);
    const key = `${accountId} ${channel}`;
    const cached = kept.get(key);
    if (cached && performance.now() < cached.until) {
      const { known } = cached;
      if (asked.every((sender) => judge(known, channel, sender) !== undefined))
        return verdictOf(known, channel);
    }
    const [own, shared] = await Promise.all([
      readVerified(db, { accountId, channel }),
      readShared(db, { accountId, channel }),
    ]);
    const known = {
      own: new Set(own.map(({ kind, sender }) => keyOf(kind, sender))),
      shared: new Set(shared),
    };
    if (kept.size >= KEPT_AT_MOST) kept.clear();
    kept.set(key, { known, until: performance.now() + KEPT_MS });
    return verdictOf(known, channel);
  };
};
