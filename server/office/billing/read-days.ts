import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { sumRefunds } from '../../customer/wallet/ledger/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { TimeSpan } from '../../traffic/messages/index.ts';
import { atOneMoment } from './read-bill.ts';
import { readPaidUsage } from './read-usage.ts';

export interface ChannelDay {
  messages: number;
  spentMicros: bigint;
}
type DayUsage = Record<Channel, ChannelDay>;

const nothing = (): ChannelDay => ({ messages: 0, spentMicros: 0n });

/** For each span what its messages cost, less what was refunded in it: together they are the bill. */
export const readDays = (db: Db, accountId: AccountId, spans: TimeSpan[]): Promise<DayUsage[]> =>
  atOneMoment(db, async (trx) => {
    const days = spans.map((): DayUsage => ({ sms: nothing(), email: nothing(), whatsapp: nothing() }));
    for (const { span, channel, messages, priceMicros } of await readPaidUsage(trx, accountId, spans)) {
      const day = days[span]?.[channel] ?? nothing();
      day.messages += messages;
      day.spentMicros += priceMicros;
    }
    for (const { span, channel, amountMicros } of await sumRefunds(trx, accountId, spans))
      (days[span]?.[channel] ?? nothing()).spentMicros -= amountMicros;
    return days;
  });
