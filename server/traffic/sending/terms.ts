import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { PriceOf } from '../../customer/prices/index.ts';
import { anySender, noSender, type SenderOf } from '../../customer/senders/index.ts';
import type { CarrierOf } from '../carriers/index.ts';
import type { Schedule } from '../outbox/index.ts';
import { type Chooser, noLane, type Offer } from '../routing/index.ts';
import type { SendingDeps } from './sending-deps.ts';

/** The lanes and prices of one account and channel now: the same for a quote and for the charge. */
export interface Terms {
  readonly accountId: AccountId;
  readonly channel: Channel;
  readonly chooser: Chooser;
  /** What the operator's lanes do: messages that name a device don't depend on it. */
  readonly offer: Offer;
  /** Goes through simulators, the whole call: how it is paid depends on it. */
  readonly test: boolean;
  /** Sent with the test secret. */
  readonly free: boolean;
  readonly priceOf: PriceOf;
  readonly carrierOf: CarrierOf;
  /** What a message is sent from: refuses what is not the account's. See allowSenders. */
  readonly senderOf: SenderOf;
  /** For later; without one: now. */
  readonly schedule?: Schedule | undefined;
}

/** Of messages that name no device. Without a lane of the operator's for the channel there are none, by any sender. */
export const operatorsSenders = (
  { channel, offer }: { channel: Channel; offer: Offer },
  own: SenderOf = noSender(channel),
): SenderOf => {
  if (offer.available) return offer.simulated ? anySender : own;
  // Only a device can send WhatsApp messages where the operator can't.
  if (channel !== 'whatsapp') throw noLane({ channel });
  return () => {
    throw noLane({ channel });
  };
};

export const readTerms = async (
  { prices, routing, carriers }: Pick<SendingDeps, 'prices' | 'routing' | 'carriers'>,
  { accountId, channel, test }: { accountId: AccountId; channel: Channel; test: boolean },
): Promise<Terms> => {
  // One after the other: all are cached, and Promise.all costs more than they do.
  const priceOf = await prices.read();
  const chooser = await routing();
  const carrierOf = await carriers();
  const offer = chooser.offer({ channel, test });
  const senderOf = operatorsSenders({ channel, offer });
  return {
    accountId,
    channel,
    chooser,
    offer,
    test: offer.simulated,
    free: test,
    priceOf,
    carrierOf,
    senderOf,
  };
};
