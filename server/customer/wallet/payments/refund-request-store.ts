import { type Generated, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { CardProcessor } from '../card-processor.ts';

interface RefundsTable {
  id: Generated<string>;
  payment_id: PaymentId;
  amount_minor: bigint;
  refunded_minor: bigint;
  reason: string;
  asked_by: AccountId;
  idempotency_key: string;
  state: Generated<'ASKED' | 'DONE' | 'REFUSED'>;
  answer: Generated<string>;
  created_at: Generated<Date>;
  settled_at: Date | null;
}
interface PaymentsTable {
  id: PaymentId;
  processor: CardProcessor['name'];
}
type Tables = { payment_refunds: RefundsTable; payments: PaymentsTable };
const tables = (db: Db) => db.withTables<Tables>();

const refunds = (db: Db) =>
  tables(db)
    .selectFrom('payment_refunds')
    .select([
      'payment_refunds.id',
      'payment_refunds.payment_id as paymentId',
      'payment_refunds.amount_minor as amountMinor',
      'payment_refunds.refunded_minor as refundedMinor',
      'payment_refunds.reason',
      'payment_refunds.asked_by as askedBy',
      'payment_refunds.state',
      'payment_refunds.answer',
      'payment_refunds.created_at as createdAt',
      'payment_refunds.settled_at as settledAt',
    ]);

export const listRefunds = (db: Db, paymentId: PaymentId) =>
  refunds(db)
    .where('payment_refunds.payment_id', '=', paymentId)
    .orderBy('payment_refunds.created_at')
    .execute();
export type RefundRequest = Awaited<ReturnType<typeof listRefunds>>[number];

export const findRefundByKey = (db: Db, paymentId: PaymentId, key: string) =>
  refunds(db)
    .where('payment_refunds.payment_id', '=', paymentId)
    .where('payment_refunds.idempotency_key', '=', key)
    .executeTakeFirst();

/** The refund request that is under way. */
export const findAskedRefund = (db: Db, paymentId: PaymentId) =>
  refunds(db)
    .where('payment_refunds.payment_id', '=', paymentId)
    .where('payment_refunds.state', '=', 'ASKED')
    .executeTakeFirst();

/** Undefined while another refund of the payment is under way. */
export const insertRefundRequest = async (
  db: Db,
  request: Pick<RefundRequest, 'paymentId' | 'amountMinor' | 'refundedMinor' | 'reason' | 'askedBy'> & {
    key: string;
  },
): Promise<RefundRequest | undefined> => {
  const inserted = await tables(db)
    .insertInto('payment_refunds')
    .values({
      payment_id: request.paymentId,
      amount_minor: request.amountMinor,
      refunded_minor: request.refundedMinor,
      reason: request.reason,
      asked_by: request.askedBy,
      idempotency_key: request.key,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted && findRefundByKey(db, request.paymentId, request.key);
};

export const settleRefundRequest = async (
  db: Db,
  { id, state, answer = '' }: { id: string; state: 'DONE' | 'REFUSED'; answer?: string },
): Promise<void> => {
  await tables(db)
    .updateTable('payment_refunds')
    .set({ state, answer, settled_at: sql<Date>`now()` })
    .where('id', '=', id)
    // Money that went back is not undone by an earlier refusal.
    .where('state', '<>', 'DONE')
    .execute();
};

/** Refunds without an answer, older than given. */
export const listAskedRefunds = (
  db: Db,
  { processor, afterSeconds }: { processor: CardProcessor['name']; afterSeconds: number },
): Promise<RefundRequest[]> =>
  refunds(db)
    .innerJoin('payments', 'payments.id', 'payment_refunds.payment_id')
    .where('payment_refunds.state', '=', 'ASKED')
    .where('payments.processor', '=', processor)
    .where('payment_refunds.created_at', '<', sql<Date>`now() - make_interval(secs => ${afterSeconds})`)
    .execute();
