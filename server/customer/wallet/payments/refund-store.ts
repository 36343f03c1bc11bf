import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EntryId } from '../../../../contract/customer/wallet.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** What was refunded for one item, such as a message, or charged again after that. */
export interface ItemMove {
  kind: 'REFUND' | 'RECAPTURE';
  entryId: EntryId;
  amountMicros: bigint;
  at: Date;
}

/** Oldest first. Of an item that was never charged again there is at most one. */
export const listItemMoves = async (
  db: Db,
  { accountId, item }: { accountId: AccountId; item: string },
): Promise<ItemMove[]> => {
  const { rows } = await sql<ItemMove>`
    with again as (
      select entry_id, refunded_as from ledger_recaptures where account_id = ${accountId} and item = ${item}
    )
    select e.kind, e.id::text as "entryId", moved.amount_micros as "amountMicros", e.created_at as at
    from (
      select r.entry_id, r.amount_micros from ledger_refunds r
      where r.account_id = ${accountId} and r.item in (select ${item}::text union all select refunded_as from again)
      union all
      select a.entry_id, -e.available_micros from again a join ledger_entries e on e.id = a.entry_id
    ) moved join ledger_entries e on e.id = moved.entry_id
    order by e.id`.execute(db);
  return rows;
};

/** How an item that was charged again is refunded. */
export interface ChargedAgain {
  item: string;
  entryId: EntryId;
  refundedAs: string;
}

/** Those of these items that were charged again, each as it was the last time. */
export const listChargedAgain = async (
  db: Db,
  items: { accountId: AccountId; item: string }[],
): Promise<Map<string, ChargedAgain>> => {
  const { rows } = await sql<ChargedAgain>`
    select last.* from unnest(${items.map(({ accountId }) => accountId)}::uuid[],
      ${items.map(({ item }) => item)}::text[]) as given (account_id, item)
    cross join lateral (
      select r.item, r.entry_id::text as "entryId", r.refunded_as as "refundedAs" from ledger_recaptures r
      where r.account_id = given.account_id and r.item = given.item order by r.turn desc limit 1
    ) last where (select exists (select from ledger_recaptures))`.execute(db);
  return new Map(rows.map((row) => [row.item, row]));
};
