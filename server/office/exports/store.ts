import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../../ground/postgres/index.ts';

interface Lease {
  accountId: AccountId;
  exportId: string;
  seconds: number;
}

/** Returns whether the lease was free: of several concurrent requests, exactly one gets it. */
export const takeLease = async (db: Db, { accountId, exportId, seconds }: Lease): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into account_exports as e (account_id, export_id, begun_at, leased_until)
    values (${accountId}, ${exportId}, now(), now() + make_interval(secs => ${seconds}))
    on conflict (account_id) do update set export_id = excluded.export_id, begun_at = excluded.begun_at,
      leased_until = excluded.leased_until
    where e.leased_until < now()`.execute(db);
  return numAffectedRows === 1n;
};

/** Whether it is still ours. */
export const renewLease = async (db: Db, { accountId, exportId, seconds }: Lease): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update account_exports set leased_until = now() + make_interval(secs => ${seconds})
    where account_id = ${accountId} and export_id = ${exportId}`.execute(db);
  return numAffectedRows === 1n;
};

export const giveBackLease = async (
  db: Db,
  { accountId, exportId }: Omit<Lease, 'seconds'>,
): Promise<void> => {
  await sql`delete from account_exports where account_id = ${accountId} and export_id = ${exportId}`.execute(
    db,
  );
};
