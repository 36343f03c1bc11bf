import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import { readLastLanes } from '../lanes/index.ts';
import type { Schedule } from '../outbox/index.ts';
import type { Db } from '../postgres/index.ts';
import type { PriceOf } from '../prices/index.ts';
import { countryOf, readRecipient } from '../recipients/index.ts';
import { type Choice, type Chooser, type LaneWhy, noLane, type RoutedMessage } from '../routing/index.ts';
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
  return { accountId, channel, chooser, test: offer.simulated, free: test, priceOf };
};

/** A message as the chooser sees it. */
export const routedMessage = ({ accountId, channel, test }: Terms, country: string): RoutedMessage => ({
  accountId,
  channel,
  country,
  test,
});

const unitPrice = (terms: Terms, country: string): bigint => {
  const { channel, chooser, free, priceOf } = terms;
  const carrier = chooser.carrierFor(routedMessage(terms, country));
  if (free) return 0n;
  const unitMicros = priceOf({ channel, country, carrier });
  // Without a price it can't be sold: like having no lane.
  if (unitMicros === undefined) throw noLane({ channel });
  return unitMicros;
};

const price = (terms: Terms, content: CheckedContent, country: string) => {
  const unitMicros = unitPrice(terms, country);
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
    sender: wanted.fromPhone?.replaceAll('\0', '').trim() || null,
    identifier: readIdentifier(wanted.identifier),
    ...price(terms, content, recipient.country),
  };
};

/** The same before there is a recipient: for the country given. */
export const prepareForCountry = (
  terms: Terms,
  { countryCode, ...content }: Content & { countryCode?: string | undefined },
) => {
  const checked = checkContent(terms.channel, content);
  const country = terms.channel === 'email' ? '' : countryOf(countryCode);
  return { ...checked, recipient: '', ...price(terms, checked, country) };
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
