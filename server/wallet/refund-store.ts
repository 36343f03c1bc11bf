import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { EntryId } from '../../contract/wallet.ts';
import type { Db } from '../postgres/index.ts';

/** What was refunded for one item, such as a message. */
export interface ItemRefund {
  entryId: EntryId;
  amountMicros: bigint;
  at: Date;
}

/** An item is refunded at most once. */
export const findRefund = async (
  db: Db,
  { accountId, item }: { accountId: AccountId; item: string },
): Promise<ItemRefund | undefined> => {
  const { rows } = await sql<ItemRefund>`
    select r.entry_id::text as "entryId", r.amount_micros as "amountMicros", e.created_at as at
    from ledger_refunds r join ledger_entries e on e.id = r.entry_id
    where r.account_id = ${accountId} and r.item = ${item}`.execute(db);
  return rows[0];
};
