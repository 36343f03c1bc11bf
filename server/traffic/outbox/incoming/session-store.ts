import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';

interface Wrote {
  accountId: AccountId;
  /** E.164. */
  customer: string;
  laneId: number;
  at: Date;
}

/**
 * A customer wrote: their session is extended, or begins, if the lane has such a rule. It counts from when they wrote,
 * not from when we received it; a late message does not change a newer session.
 */
export const noteSession = async (db: Db, { accountId, customer, laneId, at }: Wrote): Promise<void> => {
  await sql`
    insert into whatsapp_sessions (account_id, customer, lane_id, since, last_at)
    select ${accountId}::uuid, ${customer}, id, least(${at}::timestamptz, now()), least(${at}::timestamptz, now())
    from lanes where id = ${laneId} and session_hours is not null
    on conflict (account_id, customer, lane_id) do update set
      since = case when excluded.last_at >= whatsapp_sessions.last_at + (
          select make_interval(hours => session_hours) from lanes where id = ${laneId})
        then excluded.last_at else whatsapp_sessions.since end,
      last_at = greatest(excluded.last_at, whatsapp_sessions.last_at)`.execute(db);
};

interface OpenSession {
  laneId: number;
  since: Date;
}

/** The sessions that are open now, or still will be at the given time; the last used first. */
export const findSessions = async (
  db: Db,
  { accountId, customer, at }: Pick<Wrote, 'accountId' | 'customer'> & { at?: Date | undefined },
): Promise<OpenSession[]> => {
  const { rows } = await sql<OpenSession>`
    select s.lane_id as "laneId", s.since from whatsapp_sessions s join lanes l on l.id = s.lane_id
    where s.account_id = ${accountId} and s.customer = ${customer}
      and s.last_at > coalesce(${at ?? null}::timestamptz, now()) - make_interval(hours => l.session_hours)
    order by s.last_at desc`.execute(db);
  return rows;
};

/** The lanes of the sessions of many customers that are open now, the last used first. */
export const findSessionLanes = async (
  db: Db,
  customers: Pick<Wrote, 'accountId' | 'customer'>[],
): Promise<Pick<Wrote, 'accountId' | 'customer' | 'laneId'>[]> => {
  const { rows } = await sql<Pick<Wrote, 'accountId' | 'customer' | 'laneId'>>`
    select s.account_id as "accountId", s.customer, s.lane_id as "laneId"
    from whatsapp_sessions s join lanes l on l.id = s.lane_id
    where (s.account_id, s.customer) in (select * from unnest(${customers.map(({ accountId }) => accountId)}::uuid[],
        ${customers.map(({ customer }) => customer)}::text[]))
      and s.last_at > now() - make_interval(hours => l.session_hours)
    order by s.last_at desc`.execute(db);
  return rows;
};

/** Which of many customers have a session on this lane. */
export const findCustomersInSession = async (
  db: Db,
  {
    accountId,
    laneId,
    customers,
    at,
  }: { accountId: AccountId; laneId: number; customers: string[]; at?: Date | undefined },
): Promise<Set<string>> => {
  const { rows } = await sql<{ customer: string }>`
    select s.customer from whatsapp_sessions s join lanes l on l.id = s.lane_id
    where s.account_id = ${accountId} and s.lane_id = ${laneId} and s.customer = any(${customers}::text[])
      and s.last_at > coalesce(${at ?? null}::timestamptz, now()) - make_interval(hours => l.session_hours)`.execute(
    db,
  );
  return new Set(rows.map(({ customer }) => customer));
};

/** Nobody needs sessions that ended long ago; the privacy text allows 60 days. */
export const removeOldSessions = async (db: Db): Promise<void> => {
  await sql`delete from whatsapp_sessions where last_at < now() - interval '60 days'`.execute(db);
};
