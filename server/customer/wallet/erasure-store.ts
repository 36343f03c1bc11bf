import { sql } from 'kysely';
import { type Erasure, pieceOf } from '../../ground/erasure/index.ts';

const NAMED_CARD = sql`(last4 <> '0000' or customer_ref <> '' or method_ref <> '')`;
const NAMED_PAYMENT = sql`(charge_ref is not null or client_secret is not null or idempotency_key is not null
  or reason <> '')`;

/**
 * Removes what identifies the person to a card provider or a bank: references and digits. Amounts and times stay, as
 * the ledger is never changed.
 */
export const cardReferences: Erasure = {
  count: async (db, accountId) => {
    const { rows } = await sql<{ count: number }>`
      select ((select count(*) from cards where account_id = ${accountId} and ${NAMED_CARD})
        + (select count(*) from card_customers where account_id = ${accountId})
        + (select count(*) from payments where account_id = ${accountId} and ${NAMED_PAYMENT}))::int as count`.execute(
      db,
    );
    return rows[0]?.count ?? 0;
  },
  remove: async (trx, { accountId, limit }) => {
    const changed = await sql`
      update payments set charge_ref = null, client_secret = null, idempotency_key = null, request_hash = null,
        reason = ''
      where id in (select id from payments where account_id = ${accountId} and ${NAMED_PAYMENT} limit ${limit})`.execute(
      trx,
    );
    if (changed.numAffectedRows) return { rows: Number(changed.numAffectedRows), next: '' };
    const cards = await sql`
      update cards set last4 = '0000', brand = 'unknown', customer_ref = '', method_ref = '', exp_month = 1,
        exp_year = 2000, is_default = false, removed_at = coalesce(removed_at, now())
      where account_id = ${accountId} and ${NAMED_CARD}`.execute(trx);
    const customers = await sql`delete from card_customers where account_id = ${accountId}`.execute(trx);
    return pieceOf(Number((cards.numAffectedRows ?? 0n) + (customers.numAffectedRows ?? 0n)), limit);
  },
};
