import type { Channel } from '../../contract/messages.ts';
import { DomainError } from '../domain-error.ts';
import type { LaneInUse } from '../lanes/index.ts';
import { pickLane } from '../lanes/index.ts';
import type { Schedule } from '../outbox/index.ts';
import type { PriceOf } from '../prices/index.ts';
import { countryOf, readRecipient } from '../recipients/index.ts';
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
}

/** A message that could be accepted, with what it costs. */
export interface Prepared extends CheckedContent {
  recipientRaw: string;
  recipient: string;
  country: string;
  sender: string | null;
  unitMicros: bigint;
  priceMicros: bigint;
}

/** The lane and prices of one channel now: the same for a quote and for the charge. */
export interface Terms {
  channel: Channel;
  lane: LaneInUse;
  /** Goes through a simulator. */
  test: boolean;
  /** Sent with the test secret. */
  free: boolean;
  priceOf: PriceOf;
  /** For later; without one: now. */
  schedule?: Schedule | undefined;
}

export const readTerms = async (
  { prices, lanes }: Pick<SendingDeps, 'prices' | 'lanes'>,
  { channel, test }: { channel: Channel; test: boolean },
): Promise<Terms> => {
  // One after the other: both are cached, and Promise.all costs more than both.
  const priceOf = await prices.read();
  const lane = pickLane(await lanes(), { channel, test });
  return { channel, lane, test: lane.simulated, free: test, priceOf };
};

const unitPrice = ({ channel, lane, free, priceOf }: Terms, country: string): bigint => {
  if (free) return 0n;
  const unitMicros = priceOf({ channel, country, carrier: lane.carrier });
  // Without a price it can't be sold: like having no lane.
  if (unitMicros === undefined) throw new DomainError('E_NO_LANE', { channel });
  return unitMicros;
};

const price = (terms: Terms, content: CheckedContent, country: string) => {
  const unitMicros = unitPrice(terms, country);
  return { unitMicros, priceMicros: unitMicros * BigInt(content.segments) };
};

/** Checks a message and computes its price, or refuses it. */
export const prepare = (terms: Terms, wanted: Wanted): Prepared => {
  const recipient = readRecipient(terms.channel, wanted.recipientRaw, countryOf(wanted.countryCode));
  const content = checkContent(terms.channel, wanted);
  return {
    ...content,
    ...recipient,
    recipientRaw: wanted.recipientRaw.replaceAll('\0', ''),
    sender: wanted.fromPhone?.replaceAll('\0', '').trim() || null,
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
