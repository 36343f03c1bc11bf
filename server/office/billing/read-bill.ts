import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import {
  findBalanceAt,
  type Refunded,
  sumMovements,
  sumRefunds,
} from '../../customer/wallet/ledger/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { TimeSpan, Usage } from '../../traffic/messages/index.ts';
import { readPaidUsage } from './read-usage.ts';

/** In the order of the page. */
const BILLED_CHANNELS = ['sms', 'email', 'whatsapp'] as const satisfies Channel[];

export interface ChannelBill {
  channel: Channel;
  usage: Usage[];
  refunded: Refunded | undefined;
  totalMicros: bigint;
}

interface Bill {
  channels: ChannelBill[];
  totalMicros: bigint;
}

/** All queries see one moment. */
export const atOneMoment = <T>(db: Db, read: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By device and country, the dearest first within one, so that a changed price is below the former one. */
const inOrder = (a: Usage, b: Usage): number =>
  compare(a.device, b.device) || compare(a.country, b.country) || (a.unitMicros < b.unitMicros ? 1 : -1);

const readBillWithin = async (db: Db, accountId: AccountId, span: TimeSpan): Promise<Bill> => {
  const usage = await readPaidUsage(db, accountId, [span]);
  const refunds = await sumRefunds(db, accountId, [span]);
  const channels = BILLED_CHANNELS.map((channel): ChannelBill => {
    const used = usage.filter((one) => one.channel === channel).sort(inOrder);
    const refunded = refunds.find((one) => one.channel === channel);
    const spent = used.reduce((sum, { priceMicros }) => sum + priceMicros, 0n);
    return { channel, usage: used, refunded, totalMicros: spent - (refunded?.amountMicros ?? 0n) };
  });
  return { channels, totalMicros: channels.reduce((sum, { totalMicros }) => sum + totalMicros, 0n) };
};

/** What the messages of the span cost, less what was refunded in it: equal to the ledger to the micro-dollar. */
export const readBill = (db: Db, accountId: AccountId, span: TimeSpan): Promise<Bill> =>
  atOneMoment(db, (trx) => readBillWithin(trx, accountId, span));

export interface Statement extends Bill {
  openingMicros: bigint;
  closingMicros: bigint;
  /** What moved the balance besides messages and their refunds, by kind, as TOP_UP. */
  movements: { kind: string; amountMicros: bigint }[];
}

/** The bill, and how the balance changed from the span's beginning to its end. */
export const readStatement = (db: Db, accountId: AccountId, span: TimeSpan): Promise<Statement> =>
  atOneMoment(db, async (trx) => {
    const moved = await sumMovements(trx, accountId, span);
    return {
      ...(await readBillWithin(trx, accountId, span)),
      openingMicros: await findBalanceAt(trx, accountId, span.from),
      closingMicros: await findBalanceAt(trx, accountId, span.to),
      movements: moved.filter(
        ({ kind, amountMicros }) => kind !== 'REFUND' && kind !== 'RECAPTURE' && amountMicros !== 0n,
      ),
    };
  });
