import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { AccountState } from '../../../contract/customer/customer-states.ts';
import type { Db } from '../../ground/postgres/index.ts';

export interface CustomerRow {
  id: AccountId;
  email: string;
  admin: boolean;
  state: AccountState;
  createdAt: Date;
  balanceMicros: bigint;
  spentTodayMicros: bigint;
  spentMicros: bigint;
  dayLimitMicros: bigint | null;
  newCountriesLimit: number | null;
  senders: number;
  suspendedAt: Date | null;
  suspendedReason: string;
  webhookFailingSince: Date | null;
}

interface CustomerSearch {
  keyword?: string | undefined;
  state?: AccountState | undefined;
  webhook?: 'failing' | undefined;
  before?: AccountId | undefined;
  limit: number;
  /** Whether real messages need an admin's word. */
  approval: boolean;
}

const DAYS = 30;
const FAILING = sql`e.failing_since is not null and e.url <> ''`;

/** Accounts, newest first. What takes a look into other tables is asked for those of the page only. */
export const listCustomers = async (
  db: Db,
  { keyword, state, webhook, before, limit, approval }: CustomerSearch,
): Promise<CustomerRow[]> => {
  const stands = sql`case when a.closed_at is not null then 'closed' when w.suspended_at is not null then 'suspended'
    when a.activated_at is null then 'unactivated'
    when ${approval}::boolean and w.approved_at is null then 'unapproved' else 'active' end`;
  const tests: RawBuilder<unknown>[] = [sql`true`];
  if (keyword) {
    const pattern = `%${keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    tests.push(
      sql`(coalesce(a.former_email, a.email) like ${pattern} or a.id::text = ${keyword.toLowerCase()})`,
    );
  }
  if (state) tests.push(sql`${stands} = ${state}`);
  if (webhook) tests.push(sql`a.id in (select e.account_id from webhook_endpoints e where ${FAILING})`);
  if (before)
    tests.push(
      sql`(a.created_at, a.id) < (select b.created_at, b.id from accounts b where b.id = ${before})`,
    );
  const { rows } = await sql<CustomerRow>`
    with page as materialized (
      select a.id, coalesce(a.former_email, a.email) as email, a.admin, ${stands} as state,
        a.created_at as "createdAt", w.balance_micros as "balanceMicros",
        case when w.spent_on = (now() at time zone 'utc')::date then w.spent_micros else 0 end as "spentTodayMicros",
        w.day_limit_micros as "dayLimitMicros", w.new_countries_limit as "newCountriesLimit",
        w.suspended_at as "suspendedAt", w.suspended_reason as "suspendedReason"
      from accounts a join wallets w on w.account_id = a.id
      where ${sql.join(tests, sql` and `)} order by a.created_at desc, a.id desc limit ${limit}
    )
    select page.*,
      (select e.failing_since from webhook_endpoints e where e.account_id = page.id and ${FAILING})
        as "webhookFailingSince",
      (select count(*)::int from senders s where s.account_id = page.id and s.verified_at is not null) as senders,
      (select coalesce(sum(c.price_micros), 0)::bigint from message_counts c where c.account_id = page.id
        and c.hour >= now() - make_interval(days => ${DAYS}) and c.status not in ('FAILED', 'CANCELLED')) as "spentMicros"
    from page order by "createdAt" desc, id desc`.execute(db);
  return rows;
};
