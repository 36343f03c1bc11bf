import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { cutAtHours, type TimeSpan } from '../search/hour-spans.ts';
import { pieces } from '../search/span-store.ts';

interface Outcomes {
  /** All that ended: sent and failed together. */
  messages: number;
  sent: number;
  /** Of those sent. */
  delivered: number;
  failed: number;
}

/** The outcomes of the messages of a span; those of the test secret are not counted. */
export const readOutcomes = async (db: Db, accountId: AccountId, span: TimeSpan): Promise<Outcomes> => {
  const { whole, ragged } = cutAtHours([span]);
  const { rows } = await sql<Outcomes>`
    -- What an admin resolves as failed may have been delivered before: it is not among those sent.
    select sent + failed as messages, sent, least(delivered, sent) as delivered, failed from (
    select coalesce(sum(messages) filter (where status = 'SUCCESS'), 0)::int as sent,
      coalesce(sum(messages) filter (where status = 'DELIVERED'), 0)::int as delivered,
      coalesce(sum(messages) filter (where status in ('FAILED', 'FAILED_WITH_EXCEPTION')), 0)::int as failed
    from (
      select status, messages from ${pieces(whole)} join message_counts
        on account_id = ${accountId} and hour >= since and hour < until
        and type = 'outgoing' and not (test and unit_micros = 0)
      union all
      select 'DELIVERED', messages from ${pieces(whole)} join delivery_counts
        on account_id = ${accountId} and hour >= since and hour < until
      union all
      select word, 1 from ${pieces(ragged)} join messages
        on account_id = ${accountId} and created_at >= since and created_at < until
        and type = 'outgoing' and not (test and price_micros = 0)
        cross join lateral (values (status), (case when delivered_at is not null then 'DELIVERED' end)) as told (word)
    ) counted) outcomes`.execute(db);
  return rows[0] ?? { messages: 0, sent: 0, delivered: 0, failed: 0 };
};
