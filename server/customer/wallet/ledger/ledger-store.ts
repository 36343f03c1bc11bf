import { type Generated, type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EntryId, EntryKind, LedgerFilter } from '../../../../contract/customer/wallet.ts';
import { type Db, storableJson } from '../../../ground/postgres/index.ts';

/** AVAILABLE is the customer's; the others are ours. */
type Ledger = 'AVAILABLE' | 'CARDS' | 'REVENUE' | 'ADJUSTMENTS' | 'LOSSES';
export type Postings = Partial<Record<Ledger, bigint>>;

/** What the list shows of an entry's cause. */
export interface EntryDetails {
  paymentId?: string;
  paymentType?: 'TOP_UP' | 'AUTO_TOP_UP' | 'REFUND' | 'DISPUTE';
  card?: { brand: string; last4: string };
  /** Of an adjustment: why, and the admin who made it. */
  reason?: string;
  by?: AccountId;
  /** Money of test cards that was taken off, because real cards are taken. */
  sandboxEnded?: true;
  channel?: 'sms' | 'whatsapp' | 'email';
  messages?: number;
}

interface EntriesTable {
  id: Generated<bigint>;
  account_id: AccountId;
  kind: EntryKind;
  available_micros: bigint;
  balance_micros: bigint;
  details: EntryDetails;
  created_at: Generated<Date>;
}
type Tables = { ledger_entries: EntriesTable };

export interface NewLedgerEntry {
  accountId: AccountId;
  /** The others are made many at a time, and checked against what they give back or charge again. */
  kind: Exclude<EntryKind, 'REFUND' | 'RECAPTURE'>;
  /** The idempotency key: what caused it, unique within the account and kind. */
  cause: string;
  requestHash: Buffer;
  postings: Postings;
  details: EntryDetails;
  /** Paid or given back by a test card; of a CAPTURE: for simulators. */
  sandbox?: boolean | undefined;
}

export interface PostingOutcome {
  outcome: 'posted' | 'repeated' | 'reused' | 'too-low' | 'exceeded' | 'no-wallet';
  entry_id: bigint | null;
  balance_micros: bigint;
  top_up_due: boolean;
  balance_low: boolean;
}

export interface CaptureOutcome extends Omit<PostingOutcome, 'outcome'> {
  outcome:
    | 'posted'
    | 'too-low'
    | 'sandbox'
    | 'suspended'
    | 'unapproved'
    | 'over-limit'
    | 'needs-follow-up'
    | 'no-wallet';
  /** The day's spending has reached 80 % of its limit; said once a day. */
  limit_near: boolean;
  limit_micros: bigint | null;
}

const only = <T>([row]: T[]): T => {
  if (row === undefined) throw new Error('the ledger gave no answer');
  return row;
};

export const insertEntry = async (db: Db, entry: NewLedgerEntry): Promise<PostingOutcome> => {
  const { rows } = await sql<PostingOutcome>`select * from ledger_post(
    ${entry.accountId}, ${entry.kind}, ${entry.cause}, ${entry.requestHash},
    ${Object.keys(entry.postings)}::text[], ${Object.values(entry.postings)}::bigint[],
    ${storableJson(entry.details)}::jsonb, ${entry.sandbox ?? false})`.execute(db);
  return only(rows);
};

export interface Capture {
  accountId: AccountId;
  amountMicros: bigint;
  cause: string;
  requestHash: Buffer;
  details: EntryDetails;
  simulated: boolean;
}

/** What real messages need besides money. */
export interface SpendingRules {
  /** An admin's word. */
  approval: boolean;
  /** A day, of accounts without a limit of their own; null: any amount. */
  dayLimitMicros: bigint | null;
}

/** Singles of many accounts mostly cost the same: then the amount is sent and read once. */
const shareColumns = ([first, ...others]: Capture[]): boolean =>
  first !== undefined &&
  others.length > 0 &&
  others.every(
    ({ amountMicros, requestHash, details, simulated }) =>
      amountMicros === first.amountMicros &&
      simulated === first.simulated &&
      requestHash.equals(first.requestHash) &&
      JSON.stringify(details) === JSON.stringify(first.details),
  );

/** Captures directly, each account at most once; the result is by account. */
export const makingCaptures = (
  captures: Capture[],
  { fastPath, except, rules }: { fastPath: boolean; except?: RawBuilder<unknown>; rules: SpendingRules },
) => {
  const alike = shareColumns(captures);
  const column = (type: string, of: (capture: Capture) => unknown) =>
    alike
      ? sql`array_fill(${captures.slice(0, 1).map(of)[0]}::${sql.raw(type)}, array[${captures.length}::int])`
      : sql`${captures.map(of)}::${sql.raw(type)}[]`;
  return sql<CaptureOutcome & { account_id: AccountId }>`select made.* from (
      select array_agg(account_id) as accounts, array_agg(amount) as amounts, array_agg(cause) as causes,
        array_agg(request_hash) as hashes, array_agg(details) as details,
        array_agg(simulated) as simulated
      from unnest(${captures.map(({ accountId }) => accountId)}::uuid[],
        ${column('bigint', ({ amountMicros }) => amountMicros)}, ${captures.map(({ cause }) => cause)}::text[],
        ${column('bytea', ({ requestHash }) => requestHash)}, ${column('jsonb', ({ details }) => JSON.stringify(details))},
        ${column('boolean', ({ simulated }) => simulated)}
      ) as given (account_id, amount, cause, request_hash, details, simulated)
      ${except ? sql`where not (${except})` : sql``}
    ) as wanted
    cross join lateral ledger_capture_each(accounts, amounts, causes, hashes, details, simulated, ${fastPath}::boolean,
      ${rules.approval}::boolean, ${rules.dayLimitMicros}::bigint) as made`;
};

/** Whether the account ever got real money (not of test cards) that was not reversed. */
export const hasPaid = async (db: Db, accountId: AccountId): Promise<boolean> => {
  const { rows } = await sql<{ paid: boolean }>`
    select coalesce(sum(available_micros - sandbox_micros), 0) > 0 as paid from ledger_entries
    where account_id = ${accountId} and kind in ('TOP_UP', 'ADJUSTMENT', 'REVERSAL')`.execute(db);
  return rows[0]?.paid ?? false;
};

export interface RefundItem {
  /** Names what is refunded, such as a message. Each item of an account is refunded once. */
  item: string;
  amountMicros: bigint;
}

export interface NewRefund {
  accountId: AccountId;
  /** The entry that it was paid by. */
  captureId: EntryId;
  items: RefundItem[];
  details?: EntryDetails;
}

/** In the given order, all by one statement. */
export const insertRefunds = async (db: Db, refunds: NewRefund[]): Promise<PostingOutcome[]> => {
  const items = refunds.flatMap((refund, at) => refund.items.map((item) => ({ ...item, at: at + 1 })));
  const { rows } = await sql<PostingOutcome>`select * from ledger_refund_each(
    ${refunds.map(({ accountId }) => accountId)}::uuid[], ${refunds.map(({ captureId }) => captureId)}::bigint[],
    ${refunds.map(({ details = {} }) => JSON.stringify(details))}::jsonb[],
    ${items.map(({ at }) => at)}::int[], ${items.map(({ item }) => item)}::text[],
    ${items.map(({ amountMicros }) => amountMicros)}::bigint[])`.execute(db);
  return rows;
};

export interface Recapture {
  accountId: AccountId;
  /** The item that was refunded, such as a message. */
  item: string;
  details: EntryDetails;
  /** For simulators: then money of test cards pays for it. */
  simulated: boolean;
}

/** In the given order, all by one statement. */
export const insertRecaptures = async (db: Db, given: Recapture[]): Promise<PostingOutcome[]> => {
  const { rows } = await sql<PostingOutcome>`select * from ledger_recapture_each(
    ${given.map(({ accountId }) => accountId)}::uuid[], ${given.map(({ item }) => item)}::text[],
    ${given.map(({ details }) => JSON.stringify(details))}::jsonb[],
    ${given.map(({ simulated }) => simulated)}::boolean[])`.execute(db);
  return rows;
};

interface LedgerQuery extends LedgerFilter {
  accountId: AccountId;
  timeZone: string;
  before?: EntryId | undefined;
  limit: number;
}

const entries = (db: Db) =>
  db
    .withTables<Tables>()
    .selectFrom('ledger_entries')
    .select([
      'id',
      'kind',
      'available_micros as availableMicros',
      'balance_micros as balanceMicros',
      'details',
      'created_at as createdAt',
    ]);

/** Newest first, by the key of the last one seen: equally fast at any depth. */
export const listEntries = (db: Db, query: LedgerQuery) => {
  const dayStart = (day: string, plusDays: number) =>
    sql<Date>`((${day}::date + ${plusDays}::int)::timestamp at time zone ${query.timeZone})`;
  let found = entries(db)
    .where('account_id', '=', query.accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit);
  if (query.kind) found = found.where('kind', '=', query.kind);
  if (query.dateFrom) found = found.where('created_at', '>=', dayStart(query.dateFrom, 0));
  if (query.dateTo) found = found.where('created_at', '<', dayStart(query.dateTo, 1));
  if (query.before)
    found = found.where(
      sql<boolean>`(created_at, id) < (select e.created_at, e.id from ledger_entries e
        where e.id = ${query.before}::bigint and e.account_id = ${query.accountId})`,
    );
  return found.execute();
};

/** Those that a payment caused, oldest first. */
export const listEntriesOf = (
  db: Db,
  { id, accountId }: { id: string; accountId: AccountId },
): Promise<EntryRow[]> =>
  entries(db)
    .where('account_id', '=', accountId)
    .where('kind', 'in', ['TOP_UP', 'REVERSAL'])
    .where(sql<boolean>`details->>'paymentId' = ${id}`)
    .orderBy('id')
    .execute();
export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number];
