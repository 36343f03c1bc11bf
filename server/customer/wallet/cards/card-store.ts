import { type Generated, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { CardId } from '../../../../contract/customer/wallet.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { ConfirmedCard, ProcessorName } from '../card-processor.ts';

interface CardsTable {
  id: Generated<CardId>;
  account_id: AccountId;
  processor: ProcessorName;
  customer_ref: string;
  method_ref: string;
  last4: string;
  brand: string;
  exp_month: number;
  exp_year: number;
  is_default: Generated<boolean>;
  created_at: Generated<Date>;
  removed_at: Date | null;
}
interface CustomersTable {
  account_id: AccountId;
  processor: ProcessorName;
  customer_ref: string;
}
type Tables = { cards: CardsTable; card_customers: CustomersTable };
const tables = (db: Db) => db.withTables<Tables>();

const COLUMNS = [
  'id',
  'customer_ref as customerRef',
  'method_ref as methodRef',
  'last4',
  'brand',
  'exp_month as expMonth',
  'exp_year as expYear',
  'is_default as isDefault',
] as const;

/** Only cards of the provider in use: others can't be charged, so they are not shown. */
interface Owner {
  accountId: AccountId;
  processor: ProcessorName;
}

export const findCustomer = async (db: Db, { accountId, processor }: Owner): Promise<string | undefined> => {
  const found = await tables(db)
    .selectFrom('card_customers')
    .select('customer_ref as customerRef')
    .where('account_id', '=', accountId)
    .where('processor', '=', processor)
    .executeTakeFirst();
  return found?.customerRef;
};

/** `instead` is the customer stored so far: of two created concurrently, the first stays. */
export const keepCustomer = async (
  db: Db,
  { accountId, processor }: Owner,
  { customerRef, instead }: { customerRef: string; instead: string | undefined },
): Promise<void> => {
  await tables(db)
    .insertInto('card_customers')
    .values({ account_id: accountId, processor, customer_ref: customerRef })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'processor'])
        .doUpdateSet({ customer_ref: customerRef })
        .where('card_customers.customer_ref', '=', instead ?? ''),
    )
    .execute();
};

const owned = (db: Db, { accountId, processor }: Owner) =>
  tables(db)
    .selectFrom('cards')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .where('processor', '=', processor)
    .where('removed_at', 'is', null);

export const listCards = (db: Db, owner: Owner) =>
  owned(db, owner).orderBy('created_at').orderBy('id').execute();
export type CardRow = Awaited<ReturnType<typeof listCards>>[number];

/** Removed ones too, without the provider's references. */
export const listCardsEver = (db: Db, accountId: AccountId) =>
  tables(db)
    .selectFrom('cards')
    .select([
      'brand',
      'last4',
      'exp_month as expMonth',
      'exp_year as expYear',
      'created_at as createdAt',
      'removed_at as removedAt',
    ])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .execute();

/** Of any provider. */
export const listAllCards = (db: Db, accountId: AccountId) =>
  tables(db)
    .selectFrom('cards')
    .select([...COLUMNS, 'processor'])
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .execute();

export const findCard = (db: Db, owner: Owner, cardId: CardId): Promise<CardRow | undefined> =>
  owned(db, owner).where('id', '=', cardId).executeTakeFirst();

export const findCardByMethod = (db: Db, owner: Owner, methodRef: string): Promise<CardRow | undefined> =>
  owned(db, owner).where('method_ref', '=', methodRef).executeTakeFirst();

export const insertCard = (
  db: Db,
  { accountId, processor }: Owner,
  card: ConfirmedCard & { isDefault: boolean },
): Promise<CardRow> =>
  tables(db)
    .insertInto('cards')
    .values({
      account_id: accountId,
      processor,
      customer_ref: card.customerRef,
      method_ref: card.methodRef,
      last4: card.last4,
      brand: card.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      is_default: card.isDefault,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Two statements, because there may never be two default cards. */
export const storeDefaultCard = async (
  db: Db,
  { accountId, processor }: Owner,
  cardId: CardId,
): Promise<void> => {
  await tables(db)
    .updateTable('cards')
    .set({ is_default: false })
    .where('account_id', '=', accountId)
    .where('processor', '=', processor)
    .where('is_default', '=', true)
    .execute();
  await tables(db).updateTable('cards').set({ is_default: true }).where('id', '=', cardId).execute();
};

export const markCardRemoved = async (db: Db, cardId: CardId): Promise<void> => {
  await tables(db)
    .updateTable('cards')
    .set({ removed_at: sql<Date>`now()`, is_default: false })
    .where('id', '=', cardId)
    .execute();
};
