import { type Generated, sql } from 'kysely';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { WalletMail } from './wallet-mails.ts';

/** The kinds of mail that are about one payment. */
export type PaymentMailKind = Extract<WalletMail, { paymentId: PaymentId }>['kind'];

interface PaymentMailsTable {
  payment_id: PaymentId;
  kind: PaymentMailKind;
  sent_at: Generated<Date>;
}
const tables = (db: Db) => db.withTables<{ payment_mails: PaymentMailsTable }>();

/** A task that is tried again sends the same mail again: its last time counts. */
export const noteMail = async (
  db: Db,
  { paymentId, kind }: { paymentId: PaymentId; kind: PaymentMailKind },
): Promise<void> => {
  await tables(db)
    .insertInto('payment_mails')
    .values({ payment_id: paymentId, kind })
    .onConflict((conflict) => conflict.columns(['payment_id', 'kind']).doUpdateSet({ sent_at: sql`now()` }))
    .execute();
};

export const listMailsOf = (db: Db, paymentId: PaymentId): Promise<{ kind: PaymentMailKind; at: Date }[]> =>
  tables(db)
    .selectFrom('payment_mails')
    .select(['kind', 'sent_at as at'])
    .where('payment_id', '=', paymentId)
    .execute();
