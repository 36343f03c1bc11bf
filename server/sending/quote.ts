import type { Reply } from '../../contract/calls.ts';
import type { Channel } from '../../contract/messages.ts';
import { numberFromMicros } from '../../contract/money.ts';
import type { Sender } from '../route/index.ts';
import { readWallet } from '../wallet/index.ts';
import { prepare, prepareForCountry, readTerms } from './prepare.ts';
import type { SendingDeps } from './sending-deps.ts';

interface QuoteRequest {
  sender: Sender;
  channel: Channel;
  wanted: { phone?: string | undefined; message: string; countryCode?: string | undefined };
}

/** What it would cost: by the very functions that price what is accepted. */
export const quote = async (
  deps: SendingDeps,
  { sender, channel, wanted }: QuoteRequest,
): Promise<Reply<'POST /:channel/quote'>> => {
  const { phone, ...content } = wanted;
  const [terms, wallet] = await Promise.all([
    readTerms(deps, { channel, test: sender.test }),
    readWallet(deps.db, sender.accountId),
  ]);
  const { recipient, segments, encoding, unitMicros, priceMicros } = phone?.trim()
    ? prepare(terms, { ...content, phone })
    : prepareForCountry(terms, content);
  return {
    phone: recipient,
    segments,
    encoding,
    unitPrice: numberFromMicros(unitMicros),
    price: numberFromMicros(priceMicros),
    balanceAfter: numberFromMicros(wallet.balanceMicros - priceMicros),
    test: terms.test,
  };
};
