import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { PriceOf } from '../../customer/prices/index.ts';
import { anySender, noSender, type SenderOf } from '../../customer/senders/index.ts';
import type { CarrierOf } from '../carriers/index.ts';
import type { Schedule } from '../outbox/index.ts';
import { type Chooser, noLane, type Offer, type RoutedMessage } from '../routing/index.ts';
import type { SendingDeps } from './sending-deps.ts';

/** The lanes and prices of one account and channel now: the same for a quote and for the charge. */
export interface Terms {
  accountId: AccountId;
  channel: Channel;
  chooser: Chooser;
  /** What the operator's lanes do: messages that name a device don't depend on it. */
  offer: Offer;
  /** Goes through simulators, the whole call: how it is paid depends on it. A real device that it names changes it. */
  test: boolean;
  /** Sent with the test secret. */
  free: boolean;
  priceOf: PriceOf;
  carrierOf: CarrierOf;
  /** What a message is sent from: refuses what is not the account's. See allowSenders. */
  senderOf: SenderOf;
  /** Whom phones know and whose network they are in, where a phone may get the message. */
  known?: ((recipient: string) => Pick<RoutedMessage, 'last' | 'carrier'>) | undefined;
  /** For later; without one: now. */
  schedule?: Schedule | undefined;
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
