import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import { DomainError } from '../domain-error.ts';
import { readLastLanes } from '../lanes/index.ts';
import type { Schedule } from '../outbox/index.ts';
import type { Db } from '../postgres/index.ts';
import type { PriceOf } from '../prices/index.ts';
import { countryOf, numberRange, readRecipient } from '../recipients/index.ts';
import { type Choice, type Chooser, type LaneWhy, noLane, type RoutedMessage } from '../routing/index.ts';
import { anySender, noSender, type SenderOf } from '../senders/index.ts';
import { checkContent } from './content.ts';
import type { CheckedContent, Content } from './message-content.ts';
import type { SendingDeps } from './sending-deps.ts';

/** A message as it was requested. */
export interface Wanted extends Content {
  /** The target as typed: a number, or an address. */
  recipientRaw: string;
  /** The country of numbers that don't say theirs, such as +852 or HK. */
  countryCode?: string | undefined;
  /** The sending device or dedicated number. */
  fromPhone?: string | undefined;
  /** The caller's own reference. */
  identifier?: string | undefined;
}

/** A message that could be accepted, with what it costs. */
export interface Prepared extends CheckedContent {
  recipientRaw: string;
  recipient: string;
  country: string;
  sender: string | null;
  identifier: string | null;
  unitMicros: bigint;
  priceMicros: bigint;
  /** If no other lane will do: the customer wrote to its number. */
  bound?: Choice | undefined;
}

/** The lanes and prices of one account and channel now: the same for a quote and for the charge. */
export interface Terms {
  accountId: AccountId;
  channel: Channel;
  chooser: Chooser;
  /** Goes through a simulator. */
  test: boolean;
  /** Sent with the test secret. */
  free: boolean;
  priceOf: PriceOf;
  /** What a message is sent from: refuses what is not the account's. See allowSenders. */
  senderOf: SenderOf;
  /** Whom phones know and whose network they are in, where a phone may get the message. */
  known?: ((recipient: string) => Pick<RoutedMessage, 'last' | 'carrier'>) | undefined;
  /** For later; without one: now. */
  schedule?: Schedule | undefined;
}

export const readTerms = async (
  { prices, routing }: Pick<SendingDeps, 'prices' | 'routing'>,
  { accountId, channel, test }: { accountId: AccountId; channel: Channel; test: boolean },
): Promise<Terms> => {
  // One after the other: both are cached, and Promise.all costs more than both.
  const priceOf = await prices.read();
  const chooser = await routing();
  const offer = chooser.offer({ channel, test });
  if (!offer) throw noLane({ channel });
  const senderOf = offer.simulated ? anySender : noSender(channel);
  return { accountId, channel, chooser, test: offer.simulated, free: test, priceOf, senderOf };
};

/** Looks up whether these are senders of the account, before messages that name them are prepared. */
export const allowSenders = async (
  { senders }: Pick<SendingDeps, 'senders'>,
  terms: Terms,
  typed: readonly (string | null | undefined)[],
): Promise<void> => {
  if (!terms.test) terms.senderOf = await senders({ ...terms, typed });
};

/** A message as the chooser sees it. */
export const routedMessage = ({ accountId, channel, test }: Terms, country: string): RoutedMessage => ({
  accountId,
  channel,
  country,
  test,
});

interface Destination {
  /** '' before there is one. */
  recipient: string;
  country: string;
}

/** What a unit is sold for there. Throws if it is not sold: the test secret is refused what its owner could not send. */
export const unitPrice = (terms: Terms, { recipient, country }: Destination): bigint => {
  const { channel, chooser, free, priceOf } = terms;
  const carrier = chooser.carrierFor(routedMessage(terms, country));
  const range = channel === 'email' || recipient === '' ? '' : numberRange({ recipient, country });
  const unitMicros = priceOf({ channel, country, carrier, range });
  if (unitMicros === undefined)
    throw range === ''
      ? new DomainError('E_NO_PRICE', { country: country || channel })
      : new DomainError('E_NUMBER_RANGE', { phone: recipient });
  return free ? 0n : unitMicros;
};

const price = (terms: Terms, content: CheckedContent, destination: Destination) => {
  const unitMicros = unitPrice(terms, destination);
  return { unitMicros, priceMicros: unitMicros * BigInt(content.segments) };
};

/** As it is stored and comes back: PostgreSQL's JSON accepts neither NUL nor half a character. */
export const readIdentifier = (given: string | undefined): string | null =>
  given?.replaceAll('\0', '').toWellFormed().trim() || null;

/** Checks a message and computes its price, or refuses it. */
export const prepare = (terms: Terms, wanted: Wanted): Prepared => {
  const recipient = readRecipient(terms.channel, wanted.recipientRaw, countryOf(wanted.countryCode));
  const content = checkContent(terms.channel, wanted);
  return {
    ...content,
    ...recipient,
    recipientRaw: wanted.recipientRaw.replaceAll('\0', ''),
    sender: terms.senderOf(wanted.fromPhone),
    identifier: readIdentifier(wanted.identifier),
    ...price(terms, content, recipient),
  };
};

/** The same before there is a recipient: for the country given. */
export const prepareForCountry = (
  terms: Terms,
  { countryCode, ...content }: Content & { countryCode?: string | undefined },
) => {
  const checked = checkContent(terms.channel, content);
  const country = terms.channel === 'email' ? '' : countryOf(countryCode);
  return { ...checked, recipient: '', ...price(terms, checked, { recipient: '', country }) };
};

/** Where a message goes, and what that costs the operator; nowhere before its time. */
export interface Placement {
  laneId: number | null;
  laneWhy: LaneWhy | null;
  costMicros: bigint;
}

/** Reads whom phones know, before messages are placed. Nothing is read where no phone may get them. */
export const readKnown = async (
  { carriers }: Pick<SendingDeps, 'carriers'>,
  db: Db,
  { terms, messages }: { terms: Terms; messages: Pick<Prepared, 'recipient' | 'country'>[] },
): Promise<void> => {
  const countries = new Set(messages.map(({ country }) => country));
  const matter = [...countries].some((country) => terms.chooser.phonesMatter(routedMessage(terms, country)));
  if (terms.schedule || !matter) return;
  const last = await readLastLanes(
    db,
    messages.map(({ recipient }) => recipient),
  );
  const carrierOf = await carriers();
  terms.known = (recipient) => ({ last: last.get(recipient), carrier: carrierOf(recipient) });
};

export const place = (terms: Terms, { bound, recipient, country, segments }: Prepared): Placement => {
  if (terms.schedule) return { laneId: null, laneWhy: null, costMicros: 0n };
  const { lane, why, unitCostMicros } =
    bound ?? terms.chooser.choose({ ...routedMessage(terms, country), ...terms.known?.(recipient) });
  return { laneId: lane.id, laneWhy: why, costMicros: unitCostMicros * BigInt(segments) };
};
