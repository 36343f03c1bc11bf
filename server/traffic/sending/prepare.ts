import { isDeviceId } from '../../../contract/fleet/devices.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { countryOf, numberRange, readRecipient } from '../../ground/recipients/index.ts';
import { readLastLanes } from '../lanes/index.ts';
import type { Choice, LaneReason, RoutedMessage } from '../routing/index.ts';
import { checkContent } from './content.ts';
import type { CheckedContent, Content } from './message-content.ts';
import type { Terms } from './terms.ts';

/** A message as it was requested. */
export interface MessageRequest extends Content {
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

/** A message as the chooser sees it. */
export const routedMessage = (
  { accountId, channel, test }: Terms,
  { country, sender }: Pick<Destination, 'country' | 'sender'>,
): RoutedMessage => ({
  accountId,
  channel,
  country,
  test,
  ...(sender && (isDeviceId(sender) ? { device: sender } : { from: sender })),
});

interface Destination {
  /** '' while there is no recipient yet. */
  recipient: string;
  country: string;
  /** What it is to be from, if it names something. */
  sender: string | null;
}

/** What a unit is sold for there. Throws if it is not sold: the test secret is refused what its owner could not send. */
export const unitPrice = (terms: Terms, { recipient, country, sender }: Destination): bigint => {
  const { channel, chooser, free, priceOf } = terms;
  const carrier = chooser.carrierFor(routedMessage(terms, { country, sender }));
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
export const prepare = (terms: Terms, wanted: MessageRequest): Prepared => {
  const recipient = readRecipient(terms.channel, wanted.recipientRaw, countryOf(wanted.countryCode));
  const content = checkContent(terms.channel, wanted);
  const sender = terms.senderOf(wanted.fromPhone);
  return {
    ...content,
    ...recipient,
    recipientRaw: wanted.recipientRaw.replaceAll('\0', ''),
    sender,
    identifier: readIdentifier(wanted.identifier),
    ...price(terms, content, { ...recipient, sender }),
  };
};

/** The message before its recipient is known: only the country is given. */
export const prepareForCountry = (
  terms: Terms,
  { countryCode, fromPhone, ...content }: Content & Pick<MessageRequest, 'countryCode' | 'fromPhone'>,
) => {
  const checked = checkContent(terms.channel, content);
  const country = terms.channel === 'email' ? '' : countryOf(countryCode);
  const sender = terms.senderOf(fromPhone);
  return { ...checked, recipient: '', ...price(terms, checked, { recipient: '', country, sender }) };
};

/** Where a message goes, and what that costs the operator; nowhere before its time. */
export interface Placement {
  laneId: number | null;
  laneWhy: LaneReason | null;
  costMicros: bigint;
  /** The recipient's network, by the number or otherwise by the lane; null if neither says it. */
  carrier: string | null;
}

/** Whom phones know and whose network recipients are in, where a phone may get the messages. */
export type Known = (recipient: string) => Pick<RoutedMessage, 'last' | 'carrier'>;

/** Read before messages are placed; undefined, and nothing is read, where no phone may get them. */
export const readKnown = async (
  db: Db,
  { terms, messages }: { terms: Terms; messages: Pick<Prepared, 'recipient' | 'country'>[] },
): Promise<Known | undefined> => {
  const countries = new Set(messages.map(({ country }) => country));
  const matter = [...countries].some((country) =>
    terms.chooser.phonesMatter(routedMessage(terms, { country, sender: null })),
  );
  if (terms.schedule || !matter) return undefined;
  const last = await readLastLanes(
    db,
    messages.map(({ recipient }) => recipient),
  );
  return (recipient) => ({ last: last.get(recipient), carrier: terms.carrierOf(recipient) });
};

export const place = (
  terms: Terms,
  { bound, recipient, segments, ...prepared }: Prepared,
  known: Known | undefined,
): Placement => {
  const carrier = terms.carrierOf(recipient);
  if (terms.schedule) return { laneId: null, laneWhy: null, costMicros: 0n, carrier: carrier || null };
  const { lane, why, unitCostMicros } =
    bound ?? terms.chooser.choose({ ...routedMessage(terms, prepared), ...known?.(recipient) });
  return {
    laneId: lane.id,
    laneWhy: why,
    costMicros: unitCostMicros * BigInt(segments),
    // For a phone the first alias, which is its own network.
    carrier: carrier || lane.carrier || lane.phone?.aliases[0] || null,
  };
};
