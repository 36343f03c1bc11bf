import { type Generated, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { PaidQuery } from '../wallet-deps.ts';

interface ProofsTable {
  id: Generated<bigint>;
  proven_at: Generated<Date>;
  wallets: bigint;
  differences: bigint;
  duration_ms: number;
}
type Tables = { ledger_proofs: ProofsTable };

interface Comparison {
  wallets: bigint;
  /** Wallets whose cached balance, or its part from test cards, differs from their postings and entries. */
  differing: AccountId[];
  /** Of all postings; must be zero. */
  totalMicros: bigint;
}

/** One statement, so one snapshot: movements that commit meanwhile can't cause a difference. */
export const compareBalances = async (db: Db): Promise<Comparison> => {
  const { rows } = await sql<Comparison>`
    with posted as (
      select account_id, sum(amount_micros) as total,
        coalesce(sum(amount_micros) filter (where ledger = 'AVAILABLE'), 0) as available
      from ledger_postings group by account_id
    ), sandbox as (
      select account_id, sum(sandbox_micros) as part from ledger_entries where sandbox_micros <> 0
      group by account_id
    )
    select count(w.account_id) as wallets,
      coalesce(sum(posted.total), 0)::bigint as "totalMicros",
      coalesce(array_agg(coalesce(w.account_id, posted.account_id)) filter (
        where w.balance_micros is distinct from coalesce(posted.available, 0)
          or w.sandbox_micros is distinct from coalesce(sandbox.part, 0)
      ), '{}')::text[] as differing
    from wallets w
    full join posted on posted.account_id = w.account_id
    left join sandbox on sandbox.account_id = w.account_id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the proof gave no answer');
  return row;
};

/**
 * Entries whose account has no wallet, and batches, as `paid` lists them, without their account's wallet or the entry
 * that paid for them. Foreign keys don't enforce this: checked row by row, they made up three tenths of the cost of a
 * booking.
 */
export const countStrays = async (db: Db, paid: PaidQuery): Promise<{ entries: number; batches: number }> => {
  const { rows } = await sql<{ entries: number; batches: number }>`
    select (
      select count(*)::int from ledger_entries e where not exists (
        select from wallets w where w.account_id = e.account_id)
    ) as entries, (
      select count(*)::int from (${paid}) b
      left join wallets w on w.account_id = b.account_id
      left join ledger_entries e on e.id = b.capture_id
      where w.account_id is null or (b.capture_id is not null and e.account_id is distinct from b.account_id)
    ) as batches`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the proof gave no answer');
  return row;
};

export const insertProof = async (
  db: Db,
  proof: { wallets: bigint; differences: number; durationMs: number },
): Promise<void> => {
  await db
    .withTables<Tables>()
    .insertInto('ledger_proofs')
    .values({
      wallets: proof.wallets,
      differences: BigInt(proof.differences),
      duration_ms: Math.round(proof.durationMs),
    })
    .execute();
};

/** The latest proof, for the metrics; undefined before the first. */
export const readLatestProof = (db: Db) =>
  db
    .withTables<Tables>()
    .selectFrom('ledger_proofs')
    .select(['proven_at as provenAt', 'wallets', 'differences', 'duration_ms as durationMs'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
