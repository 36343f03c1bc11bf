import { type Generated, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type {
  CardId,
  PAYMENT_STATUSES,
  PAYMENT_TYPES,
  PaymentId,
} from '../../../../contract/customer/wallet.ts';
import type { Currency } from '../../../../contract/ground/constants.ts';
import { MICROS_PER_CENT } from '../../../../contract/ground/money.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { ProcessorName } from '../card-processor.ts';
import { IS_UNSETTLED } from './unsettled-store.ts';

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
type PaymentType = (typeof PAYMENT_TYPES)[number];

interface PaymentsTable {
  id: Generated<PaymentId>;
  account_id: AccountId;
  type: PaymentType;
  status: PaymentStatus;
  amount_micros: bigint;
  currency: Currency;
  charge_minor: bigint;
  card_id: CardId;
  of_payment: PaymentId | null;
  processor: ProcessorName;
  charge_ref: string | null;
  client_secret: string | null;
  idempotency_key: string | null;
  request_hash: Buffer | null;
  reason: Generated<string>;
  refunded_minor: Generated<bigint>;
  disputed_minor: Generated<bigint>;
  reversed_micros: Generated<bigint>;
  lost_micros: Generated<bigint>;
  created_at: Generated<Date>;
  settled_at: Date | null;
  checked_at: Date | null;
}
interface CardsTable {
  id: CardId;
  brand: string;
  last4: string;
  customer_ref: string;
}
type Tables = { payments: PaymentsTable; cards: CardsTable };
const tables = (db: Db) => db.withTables<Tables>();

const payments = (db: Db) =>
  tables(db)
    .selectFrom('payments')
    .innerJoin('cards', 'cards.id', 'payments.card_id')
    .select([
      'payments.id',
      'payments.account_id as accountId',
      'payments.type',
      'payments.status',
      'payments.amount_micros as amountMicros',
      'payments.currency',
      'payments.charge_minor as chargeMinor',
      'payments.card_id as cardId',
      'payments.processor',
      'payments.charge_ref as chargeRef',
      'payments.client_secret as clientSecret',
      'payments.request_hash as requestHash',
      'payments.reason',
      'payments.refunded_minor as refundedMinor',
      'payments.disputed_minor as disputedMinor',
      'payments.reversed_micros as reversedMicros',
      'payments.lost_micros as lostMicros',
      'payments.created_at as createdAt',
      'payments.settled_at as settledAt',
      'payments.checked_at as checkedAt',
      'cards.brand',
      'cards.last4',
      'cards.customer_ref as customerRef',
    ]);

export const readPayment = (db: Db, paymentId: PaymentId) =>
  payments(db).where('payments.id', '=', paymentId).executeTakeFirst();
export type PaymentRow = NonNullable<Awaited<ReturnType<typeof readPayment>>>;

/** After the wallet's lock; see lockWallet. */
export const lockPayment = (db: Db, paymentId: PaymentId): Promise<PaymentRow> =>
  payments(db).where('payments.id', '=', paymentId).forNoKeyUpdate('payments').executeTakeFirstOrThrow();

export const findByKey = (db: Db, accountId: AccountId, key: string): Promise<PaymentRow | undefined> =>
  payments(db)
    .where('payments.account_id', '=', accountId)
    .where('payments.idempotency_key', '=', key)
    .executeTakeFirst();

export const findByChargeRef = (
  db: Db,
  { processor, chargeRef }: { processor: ProcessorName; chargeRef: string },
): Promise<PaymentRow | undefined> =>
  payments(db)
    .where('payments.processor', '=', processor)
    .where('payments.charge_ref', '=', chargeRef)
    .where('payments.of_payment', 'is', null)
    .executeTakeFirst();

/** Finds the row of a dispute, which has the provider's id of the dispute instead of a charge's. */
export const findDispute = (db: Db, { ofPayment, ref }: { ofPayment: PaymentId; ref: string }) =>
  tables(db)
    .selectFrom('payments')
    .select(['id', 'status', 'charge_minor as chargeMinor'])
    .where('of_payment', '=', ofPayment)
    .where('charge_ref', '=', ref)
    .where('type', '=', 'DISPUTE')
    .executeTakeFirst();

export const listPayments = (
  db: Db,
  { accountId, before, limit }: { accountId: AccountId; before: PaymentId | undefined; limit: number },
): Promise<PaymentRow[]> => {
  let found = payments(db)
    .where('payments.account_id', '=', accountId)
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(limit);
  if (before)
    found = found.where(
      sql<boolean>`(payments.created_at, payments.id) < (select p.created_at, p.id from payments p
        where p.id = ${before} and p.account_id = ${accountId})`,
    );
  return found.execute();
};

interface PaymentSearch {
  /** Undefined: any. */
  accountIds?: AccountId[] | undefined;
  last4?: string | undefined;
  /** What the card was charged, or what the balance got. */
  amountMicros?: bigint | undefined;
  /** Its id, or the provider's of the charge. */
  ref?: string | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  status?: PaymentStatus | undefined;
  type?: PaymentType | undefined;
  /** Only payments that have gone unsettled for longer than usual. */
  unsettled?: 'true' | undefined;
  timeZone: string;
  before?: PaymentId | undefined;
  limit: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Of any account, newest first. */
export const searchPayments = (db: Db, search: PaymentSearch): Promise<PaymentRow[]> => {
  if (search.accountIds?.length === 0) return Promise.resolve([]);
  const dayStart = (day: string, plusDays: number) =>
    sql<Date>`((${day}::date + ${plusDays}::int)::timestamp at time zone ${search.timeZone})`;
  let found = payments(db)
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(search.limit);
  if (search.accountIds) found = found.where('payments.account_id', 'in', search.accountIds);
  if (search.last4) found = found.where('cards.last4', '=', search.last4);
  if (search.amountMicros !== undefined)
    found = found.where(
      sql<boolean>`${search.amountMicros}::bigint in (payments.amount_micros,
        payments.charge_minor * ${MICROS_PER_CENT}::bigint)`,
    );
  if (search.ref)
    found = UUID.test(search.ref)
      ? found.where('payments.id', '=', search.ref as PaymentId)
      : found.where('payments.charge_ref', '=', search.ref);
  if (search.dateFrom) found = found.where('payments.created_at', '>=', dayStart(search.dateFrom, 0));
  if (search.dateTo) found = found.where('payments.created_at', '<', dayStart(search.dateTo, 1));
  if (search.status) found = found.where('payments.status', '=', search.status);
  if (search.type) found = found.where('payments.type', '=', search.type);
  if (search.unsettled) found = found.where(IS_UNSETTLED);
  if (search.before)
    found = found.where(
      sql<boolean>`(payments.created_at, payments.id) < (select p.created_at, p.id from payments p
        where p.id = ${search.before})`,
    );
  return found.execute();
};

interface NewPayment {
  accountId: AccountId;
  type: PaymentType;
  status: PaymentStatus;
  amountMicros: bigint;
  currency: Currency;
  chargeMinor: bigint;
  cardId: CardId;
  processor: ProcessorName;
  ofPayment?: PaymentId;
  chargeRef?: string | undefined;
  idempotencyKey?: string | undefined;
  requestHash?: Buffer | undefined;
  reason?: string;
}

/** Undefined when the idempotency key is taken. */
export const insertPayment = async (db: Db, payment: NewPayment): Promise<PaymentId | undefined> => {
  const inserted = await tables(db)
    .insertInto('payments')
    .values({
      account_id: payment.accountId,
      type: payment.type,
      status: payment.status,
      amount_micros: payment.amountMicros,
      currency: payment.currency,
      charge_minor: payment.chargeMinor,
      card_id: payment.cardId,
      processor: payment.processor,
      of_payment: payment.ofPayment ?? null,
      charge_ref: payment.chargeRef ?? null,
      idempotency_key: payment.idempotencyKey ?? null,
      request_hash: payment.requestHash ?? null,
      reason: payment.reason ?? '',
      settled_at: payment.status === 'PENDING' ? null : sql<Date>`now()`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'idempotency_key'])
        .where('idempotency_key', 'is not', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
};

type Changes = Partial<{
  status: PaymentStatus;
  charge_ref: string;
  client_secret: string | null;
  reason: string;
  refunded_minor: bigint;
  disputed_minor: bigint;
  reversed_micros: bigint;
  lost_micros: bigint;
}>;

export const updatePayment = async (db: Db, paymentId: PaymentId, changes: Changes): Promise<void> => {
  await tables(db)
    .updateTable('payments')
    .set({ ...changes, ...(changes.status && { settled_at: sql<Date>`now()` }) })
    .where('id', '=', paymentId)
    .execute();
};

export const hasPendingAutoTopUp = async (db: Db, accountId: AccountId): Promise<boolean> => {
  const found = await tables(db)
    .selectFrom('payments')
    .select('id')
    .where('account_id', '=', accountId)
    .where('type', '=', 'AUTO_TOP_UP')
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  return found !== undefined;
};

/** The automatic top-ups of the last 24 hours, and in how many seconds the first of them is older than that. */
export const readAutoTopUpDay = (db: Db, accountId: AccountId) =>
  tables(db)
    .selectFrom('payments')
    .select([
      sql<bigint>`coalesce(sum(amount_micros), 0)::bigint`.as('toppedUpMicros'),
      sql<number>`coalesce(extract(epoch from min(created_at) + interval '1 day' - now()), 0)::float8`.as(
        'freesInSeconds',
      ),
    ])
    .where('account_id', '=', accountId)
    .where('type', '=', 'AUTO_TOP_UP')
    .where('status', 'in', ['PENDING', 'SUCCESS'])
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow();

/**
 * Charges without a known outcome, older than given, the longest unchecked first; marks them as checked. The database's
 * clock decides the age.
 */
export const takePendingCharges = async (
  db: Db,
  { processor, afterSeconds, limit }: { processor: ProcessorName; afterSeconds: number; limit: number },
): Promise<{ paymentId: PaymentId; ageSeconds: number }[]> => {
  const { rows } = await sql<{ paymentId: PaymentId; ageSeconds: number }>`
    update payments set checked_at = now()
    where id in (
      select id from payments
      where status = 'PENDING' and type in ('TOP_UP', 'AUTO_TOP_UP') and processor = ${processor}
        and created_at < now() - make_interval(secs => ${afterSeconds})
      order by checked_at nulls first, created_at limit ${limit}
      for no key update skip locked
    )
    returning id as "paymentId", extract(epoch from now() - created_at)::float8 as "ageSeconds"`.execute(db);
  return rows;
};

/** Charges without a known outcome, older than given, of another provider than the one in use. */
export const listChargesOfOthers = async (
  db: Db,
  { processor, afterSeconds }: { processor: ProcessorName; afterSeconds: number },
): Promise<PaymentId[]> => {
  const found = await tables(db)
    .selectFrom('payments')
    .select('id')
    .where('status', '=', 'PENDING')
    .where('type', 'in', ['TOP_UP', 'AUTO_TOP_UP'])
    .where('processor', '<>', processor)
    .where('created_at', '<', sql<Date>`now() - make_interval(secs => ${afterSeconds})`)
    .orderBy('created_at')
    .limit(500)
    .execute();
  return found.map(({ id }) => id);
};
