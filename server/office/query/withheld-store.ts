import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** So many ends by force … */
const KILLS = 2;
/** … in so long … */
const WITHIN_MINUTES = 10;
/** … and there is no turn for so long. */
const WITHHELD_MINUTES = 60;

/** Keeps that a statement was ended by force; until when its asker has no turn, if it was one too many. */
export const noteKill = async (
  db: Db,
  { queryId, accountId }: { queryId: string; accountId: AccountId | undefined },
): Promise<Date | undefined> => {
  const account = accountId ?? null;
  await sql`update queries set killed_at = now() where id = ${queryId}`.execute(db);
  const { rows } = await sql<{ until: Date }>`
    insert into query_withheld_turns (account_id, until)
    select ${account}::uuid, now() + make_interval(mins => ${WITHHELD_MINUTES})
    where ${KILLS} <= (
      select count(*) from queries
      where account_id is not distinct from ${account}::uuid
        and killed_at > greatest(now() - make_interval(mins => ${WITHIN_MINUTES}), (
          select given_back_at from query_withheld_turns where account_id is not distinct from ${account}::uuid))
    )
    on conflict (account_id) do update set until = excluded.until
    returning until`.execute(db);
  return rows[0]?.until;
};

/** Until when the asker has no turn. */
export const findWithheld = async (db: Db, accountId: AccountId | undefined): Promise<Date | undefined> => {
  const { rows } = await sql<{ until: Date }>`
    select until from query_withheld_turns
    where account_id is not distinct from ${accountId ?? null}::uuid and until > now()`.execute(db);
  return rows[0]?.until;
};

export const listWithheld = async (db: Db): Promise<{ accountId: AccountId | null; until: Date }[]> => {
  const { rows } = await sql<{ accountId: AccountId | null; until: Date }>`
    select account_id as "accountId", until from query_withheld_turns where until > now() order by until desc`.execute(
    db,
  );
  return rows;
};

/** Until when it was withheld; undefined if it was not. */
export const giveBackTurn = async (db: Db, accountId: AccountId | undefined): Promise<Date | undefined> => {
  const { rows } = await sql<{ until: Date }>`
    with former as (
      select account_id, until from query_withheld_turns
      where account_id is not distinct from ${accountId ?? null}::uuid and until > now() for update
    )
    update query_withheld_turns t set until = now(), given_back_at = now() from former
    where t.account_id is not distinct from former.account_id
    returning former.until`.execute(db);
  return rows[0]?.until;
};
