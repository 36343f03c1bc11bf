import { type Generated, sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { CardId } from '../../../contract/customer/wallet.ts';
import type { Currency } from '../../../contract/ground/constants.ts';
import type { Db } from '../../ground/postgres/index.ts';

interface WalletsTable {
  account_id: AccountId;
  balance_micros: Generated<bigint>;
  currency: Generated<Currency>;
  auto_charge: Generated<boolean>;
  auto_charge_amount_micros: bigint | null;
  auto_charge_threshold_micros: Generated<bigint>;
  auto_charge_daily_cap_micros: bigint | null;
  auto_charge_wanted: Generated<boolean>;
  auto_charge_asked_at: Date | null;
  auto_charge_next_at: Date | null;
  auto_charge_declines: Generated<number>;
  auto_charge_stopped: Generated<string>;
  card_id: CardId | null;
  sandbox_micros: Generated<bigint>;
  approved_at: Date | null;
  suspended_at: Date | null;
  suspended_reason: Generated<string>;
  day_limit_micros: bigint | null;
  new_countries_limit: number | null;
  limit_told_on: Generated<Date>;
}
type Tables = { wallets: WalletsTable };
const wallets = (db: Db) => db.withTables<Tables>();

const COLUMNS = [
  'account_id as accountId',
  'balance_micros as balanceMicros',
  'currency',
  'auto_charge as autoCharge',
  'auto_charge_amount_micros as autoChargeAmountMicros',
  'auto_charge_threshold_micros as autoChargeThresholdMicros',
  'auto_charge_daily_cap_micros as autoChargeDailyCapMicros',
  'auto_charge_asked_at as autoChargeAskedAt',
  'auto_charge_stopped as autoChargeStopped',
  'auto_charge_declines as autoChargeDeclines',
  'card_id as cardId',
  'sandbox_micros as sandboxMicros',
  'approved_at as approvedAt',
  'suspended_at as suspendedAt',
  'suspended_reason as suspendedReason',
  'day_limit_micros as dayLimitMicros',
  'new_countries_limit as newCountriesLimit',
] as const;

/** Every account has a wallet from the start: call this in the transaction that creates the account. */
export const openWallet = async (db: Db, accountId: AccountId): Promise<void> => {
  await wallets(db).insertInto('wallets').values({ account_id: accountId }).execute();
};

export const readWallets = (db: Db, accountIds: AccountId[]) =>
  wallets(db)
    .selectFrom('wallets')
    .select(COLUMNS)
    .where('account_id', '=', (eb) => eb.fn.any(eb.val(accountIds)))
    .execute();

export type Wallet = Awaited<ReturnType<typeof readWallets>>[number];

const orThrow = (wallet: Wallet | undefined, accountId: AccountId): Wallet => {
  if (!wallet) throw new Error(`account ${accountId} has no wallet`);
  return wallet;
};

export const readWallet = async (db: Db, accountId: AccountId): Promise<Wallet> => {
  const [wallet] = await readWallets(db, [accountId]);
  return orThrow(wallet, accountId);
};

/**
 * The first lock of every transaction that touches an account's money, cards or payments: then payments, then cards.
 * Code that needs several wallets locks them by account id.
 */
export const lockWallet = async (db: Db, accountId: AccountId): Promise<Wallet> =>
  orThrow(
    await wallets(db)
      .selectFrom('wallets')
      .select(COLUMNS)
      .where('account_id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirst(),
    accountId,
  );

type Settings = Partial<{
  currency: Currency;
  auto_charge: boolean;
  auto_charge_amount_micros: bigint;
  auto_charge_threshold_micros: bigint;
  auto_charge_daily_cap_micros: bigint | null;
  auto_charge_wanted: boolean;
  auto_charge_next_at: Date | null;
  auto_charge_declines: number;
  auto_charge_stopped: string;
  card_id: CardId | null;
  approved_at: Date | null;
  suspended_at: Date | null;
  suspended_reason: string;
  day_limit_micros: bigint | null;
  new_countries_limit: number | null;
  limit_told_on: Date;
}>;

export const updateWallet = async (db: Db, accountId: AccountId, settings: Settings): Promise<void> => {
  await wallets(db).updateTable('wallets').set(settings).where('account_id', '=', accountId).execute();
};

/** The automatic top-up has an outcome; the next one may start after the pause. */
export const endAutoTopUp = async (db: Db, accountId: AccountId, pauseSeconds: number): Promise<void> => {
  await wallets(db)
    .updateTable('wallets')
    .set({
      auto_charge_asked_at: null,
      auto_charge_next_at: sql<Date>`clock_timestamp() + make_interval(secs => ${pauseSeconds})`,
    })
    .where('account_id', '=', accountId)
    .execute();
};

/** Wallets whose automatic top-up may start now; see ledger_post, which does the same for a spend. */
const wanting = sql<boolean>`auto_charge and auto_charge_wanted and auto_charge_asked_at is null and suspended_at is null
  and balance_micros < auto_charge_threshold_micros
  and (auto_charge_next_at is null or auto_charge_next_at <= clock_timestamp())`;

/** Returns whether this request marked it: of several concurrent ones, exactly one does. */
export const markTopUpAsked = async (db: Db, accountId: AccountId): Promise<boolean> => {
  const marked = await wallets(db)
    .updateTable('wallets')
    .set({ auto_charge_asked_at: sql<Date>`clock_timestamp()` })
    .where('account_id', '=', accountId)
    .where(wanting)
    .returning('account_id')
    .executeTakeFirst();
  return marked !== undefined;
};

/** Accounts whose automatic top-up is still due after the pause that followed the last one. */
export const listWantedTopUps = async (db: Db): Promise<AccountId[]> => {
  const found = await wallets(db)
    .selectFrom('wallets')
    .select('account_id as accountId')
    .where(wanting)
    .orderBy('auto_charge_next_at')
    .limit(500)
    .execute();
  return found.map(({ accountId }) => accountId);
};

/** Accounts that have been waiting for their automatic top-up for this long. */
export const listAskedTopUps = async (db: Db, afterSeconds: number): Promise<AccountId[]> => {
  const asked = await wallets(db)
    .selectFrom('wallets')
    .select('account_id as accountId')
    .where('auto_charge_asked_at', '<', sql<Date>`now() - make_interval(secs => ${afterSeconds})`)
    .orderBy('auto_charge_asked_at')
    .limit(500)
    .execute();
  return asked.map(({ accountId }) => accountId);
};

/** Accounts whose balance has money of test cards in it. */
export const listSandboxWallets = async (db: Db): Promise<AccountId[]> => {
  const found = await wallets(db)
    .selectFrom('wallets')
    .select('account_id as accountId')
    .where('sandbox_micros', '>', 0n)
    .orderBy('account_id')
    .limit(1_000)
    .execute();
  return found.map(({ accountId }) => accountId);
};

/** What the account has spent on real messages today (UTC). */
export const readSpent = async (db: Db, accountId: AccountId): Promise<bigint> => {
  const { rows } = await sql<{ spent: bigint }>`
    select case when spent_on = (now() at time zone 'utc')::date then spent_micros else 0 end as spent
    from wallets where account_id = ${accountId}`.execute(db);
  return rows[0]?.spent ?? 0n;
};

/** Accounts that an admin has suspended. */
export const listSuspended = async (db: Db): Promise<AccountId[]> => {
  const { rows } = await sql<{ id: AccountId }>`
    select account_id as id from wallets where suspended_at is not null`.execute(db);
  return rows.map(({ id }) => id);
};
