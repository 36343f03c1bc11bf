import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { isChunk, ofAccount, SCHEDULED_LANE, suspended } from './chunk-store.ts';

/** Holding and releasing an account's messages go one after another. For a transaction. */
export const lockHolding = async (trx: Db, accountId: AccountId): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`outbox_hold:${accountId}`}, 0))`.execute(trx);
};

/** Locked in the order of everybody who locks chunks. */
const locked = (accountId: AccountId, isHeld: boolean) => sql`
  select * from outbox_chunks where ${ofAccount(accountId)} and (due = ${suspended}) = ${isHeld}::boolean
  order by lane_id, priority, account_id, due, id for update`;

/** Nothing of the account is due any more, in lanes and scheduled. */
export const holdChunks = async (db: Db, accountId: AccountId): Promise<void> => {
  await sql`
    with p as materialized (${locked(accountId, false)})
    update outbox_chunks l set due = ${suspended} from p where ${isChunk}`.execute(db);
};

/** Accounts other than these that have suspended chunks. */
export const listHeldAccounts = async (db: Db, except: AccountId[]): Promise<AccountId[]> => {
  const { rows } = await sql<{ accountId: AccountId }>`
    select distinct account_id as "accountId" from outbox_chunks
    where due = ${suspended} and account_id <> all(${except}::uuid[])`.execute(db);
  return rows.map(({ accountId }) => accountId);
};

/** Everything that was held is due as its messages say; returns the lanes. */
export const releaseChunks = async (trx: Db, accountId: AccountId): Promise<number[]> => {
  const { rows } = await sql<{ laneId: number; ids: string[]; createdAts: string[] }>`
    with p as materialized (${locked(accountId, true)}),
    gone as (delete from outbox_chunks l using p where ${isChunk})
    select p.lane_id as "laneId", array_agg(one.id) as ids, array_agg(p.created_at::text) as "createdAts"
    from p cross join unnest(p.ids) as one (id) group by p.lane_id`.execute(trx);
  for (const { ids, createdAts } of rows)
    await sql`select outbox_wait_again(${ids}::uuid[], ${createdAts}::timestamptz[])`.execute(trx);
  return rows.map(({ laneId }) => laneId).filter((laneId) => laneId !== SCHEDULED_LANE);
};
