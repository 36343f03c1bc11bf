import { sql } from 'kysely';
import type { PhoneId } from '../../../contract/fleet/phones.ts';
import type { Db } from '../../ground/postgres/index.ts';

const MOST_LISTED = 200;

export interface KnownBalance {
  phoneId: PhoneId;
  balanceMicros: bigint;
  kind: 'reported' | 'entered';
  /** Now unless given. */
  at?: Date | undefined;
}

/**
 * Stores balances that became known, and notes those above the last known one as recharges: nothing else makes a prepaid
 * balance rise. The estimate says nothing of that: messages may have cost less than was thought. A balance that says
 * nothing new is not stored again.
 */
export const storeBalances = async (trx: Db, known: KnownBalance[]): Promise<void> => {
  await sql`
    with given as (
      select * from unnest(${known.map(({ phoneId }) => phoneId)}::uuid[],
        ${known.map(({ balanceMicros }) => balanceMicros)}::bigint[], ${known.map(({ kind }) => kind)}::text[],
        ${known.map(({ at }) => at ?? null)}::timestamptz[])
        as g (phone_id, balance_micros, kind, at)
    ), before as (
      select p.id, p.balance_micros as last from phones p join given g on g.phone_id = p.id for update of p
    ), changed as (
      select g.phone_id, g.balance_micros, case when g.balance_micros > b.last then 'recharge' else g.kind end as kind,
        coalesce(g.at, now()) as at
      from given g join before b on b.id = g.phone_id where g.balance_micros is distinct from b.last
    ), noted as (
      insert into phone_balances (phone_id, balance_micros, kind, at)
      select phone_id, balance_micros, kind, at from changed
    )
    -- The estimate begins anew also from a balance that is the same: what was sent may have cost nothing.
    update phones p set balance_micros = coalesce(c.balance_micros, p.balance_micros),
      balance_cost_micros = p.cost_micros,
      latest_top_up_at = case when c.kind = 'recharge' then c.at else p.latest_top_up_at end
    from before b left join changed c on c.phone_id = b.id where p.id = b.id`.execute(trx);
};

/** The latest first. */
export const listBalances = async (
  db: Db,
  phoneId: PhoneId,
): Promise<{ at: Date; balanceMicros: bigint; kind: KnownBalance['kind'] | 'recharge' }[]> => {
  const { rows } = await sql<{ at: Date; balanceMicros: bigint; kind: 'reported' | 'entered' | 'recharge' }>`
    select at, balance_micros as "balanceMicros", kind from phone_balances where phone_id = ${phoneId}
    order by at desc limit ${MOST_LISTED}`.execute(db);
  return rows;
};

/** A year of history is enough to see how a SIM behaves. */
export const forgetOldBalances = async (db: Db): Promise<void> => {
  await sql`delete from phone_balances where at < now() - interval '1 year'`.execute(db);
};
