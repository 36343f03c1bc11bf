import type { Reply } from '../../../contract/calls.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import { readWallet } from '../../customer/wallet/index.ts';
import type { SendingAccount } from '../../ground/route/index.ts';
import { allowSenders } from './allow-senders.ts';
import { prepare, prepareForCountry } from './prepare.ts';
import type { SendingDeps } from './sending-deps.ts';
import { readTerms } from './terms.ts';

interface QuoteRequest {
  sender: SendingAccount;
  channel: Channel;
  wanted: {
    recipientRaw?: string | undefined;
    message: string;
    countryCode?: string | undefined;
    fromPhone?: string | undefined;
  };
}

/** What it would cost, computed by the same functions that price accepted messages. */
export const quote = async (
  deps: SendingDeps,
  { sender, channel, wanted }: QuoteRequest,
): Promise<Reply<'POST /:channel/quote'>> => {
  const { recipientRaw, ...content } = wanted;
  const [general, wallet] = await Promise.all([
    readTerms(deps, { accountId: sender.accountId, channel, test: sender.test }),
    readWallet(deps.db, sender.accountId),
  ]);
  const terms = wanted.fromPhone ? await allowSenders(deps, general, [wanted.fromPhone]) : general;
  const { recipient, segments, encoding, unitMicros, priceMicros } = recipientRaw?.trim()
    ? prepare(terms, { ...content, recipientRaw })
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
