import { sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';
import type { OutboxEvent } from '../outbox-event.ts';
import { idsOfParts, LATEST_DAYS } from './carrier-id-store.ts';

/** Receipts wait this long before they are compared with lost answers: the answer may be on its way. */
const SETTLED_MS = 20_000;

/**
 * Gives messages whose answer was lost the carrier's id, if a receipt shows it: by our own id if the carrier returns
 * it, or by the recipient if there is exactly one message for that number whose answer or part is missing, and no more
 * receipts than it misses. Which of its missing parts gets which id makes no difference. Not if another message of the
 * same lane to that number may be the one: it is being sent, its carrier gave it no id, or it is long and only the id of
 * its first part is known. `overtaken`: how many would have got one, but were changed meanwhile, as by a receipt of
 * another part: what is known of them now has to be read again.
 */
export const adoptReceipts = async (
  db: Db,
  settledMs = SETTLED_MS,
): Promise<{ events: OutboxEvent[]; overtaken: number }> => {
  const { rows } = await sql<Omit<OutboxEvent, 'event'> & { sent: boolean | null }>`
    with early as (
      select lane_id, provider_message_id, message_id, regexp_replace(recipient, '^\\+', '') as recipient,
        bool_or(of_part) as of_part, min(received_at) as received_at
      from early_receipts where received_at <= now() - ${settledMs} * interval '1 ms' group by 1, 2, 3, 4
    ), lost as (
      select id, created_at, claimed_at, lane_id, recipient as number, segment, parts,
        regexp_replace(recipient, '^\\+', '') as recipient
      from messages
      where lane_id in (select lane_id from early) and unknown_since is not null
        and case when parts is null then provider_message_id is null
          else jsonb_path_exists(parts, '$[*] ? (@.state == "unknown" && !exists(@.id))') end
        and (status = 'PENDING' or status = 'FAILED_WITH_EXCEPTION')
        and created_at > now() - interval '2 days' and (select count(*) from early) > 0
    ), by_id as (
      select lost.id, lost.created_at, early.provider_message_id
      from lost join early on early.lane_id = lost.lane_id and early.message_id = lost.id where lost.parts is null
    ), alone as (
      select min(lost.id::text)::uuid as id, min(lost.created_at) as created_at, min(lost.segment) as segment,
        array_agg(early.provider_message_id order by early.received_at) as ids, bool_and(early.of_part) as of_part,
        (array_agg(lost.parts))[1] as known_parts, lost.lane_id, min(lost.number) as number
      from lost join early on early.lane_id = lost.lane_id and early.recipient = lost.recipient
        and early.message_id is null and early.received_at >= lost.claimed_at
        -- A repeated receipt of a part that has its id says nothing about another one.
        and not coalesce(lost.parts @> jsonb_build_array(jsonb_build_object('id', early.provider_message_id)), false)
      group by lost.lane_id, lost.recipient having count(distinct lost.id) = 1
    ), by_recipient as materialized (
      -- A scalar subquery, so that each of these few costs one index look-up.
      select id, created_at, ids, known_parts, coalesce(known_parts,
        case when of_part and segment > 1 then (select jsonb_agg(jsonb '{"state": "unknown"}')
          from generate_series(1, segment)) end) as parts
      from alone where (
        select true from messages m
        where (case m.type when 'incoming' then m.sender else m.recipient end) = alone.number and m.type = 'outgoing'
          and m.lane_id = alone.lane_id and m.created_at > now() - ${LATEST_DAYS} * interval '1 day'
          and m.id <> alone.id and (
            m.provider_message_id = m.id::text
            or case when m.parts is null then m.segment > 1 and m.provider_message_id is not null
                or m.status = 'PENDING' and m.unknown_since is null
                or m.unknown_since is not null and m.provider_message_id is null
              else jsonb_path_exists(m.parts, '$[*] ? (@.state == "unknown" && !exists(@.id))') end)
        limit 1) is null
    ), fitting as (
      -- The ids go to the missing parts in their order.
      select id, created_at, ids, known_parts, (
        select jsonb_agg(case when missing.at <= cardinality(ids)
            then jsonb_build_object('state', 'taken', 'id', ids[missing.at]) else missing.one end order by missing.number)
        from (
          select one, number, case when one ->> 'state' = 'unknown' and not one ? 'id'
            then count(*) filter (where one ->> 'state' = 'unknown' and not one ? 'id') over (order by number) end as at
          from jsonb_array_elements(parts) with ordinality as part (one, number)
        ) missing) as parts
      from by_recipient
      where cardinality(ids) <= case when parts is null then 1
        else jsonb_array_length(jsonb_path_query_array(parts, '$[*] ? (@.state == "unknown" && !exists(@.id))')) end
    ), matched as (
      select id, created_at, provider_message_id, null::jsonb as known_parts, null::jsonb as parts from by_id
      union all
      select id, created_at, ids[1], known_parts, parts from fitting
    ), locked as materialized (
      -- Locks the rows in the order that receipts of parts use.
      select matched.*, matched.parts is null
          or not jsonb_path_exists(matched.parts, '$[*] ? (@.state == "unknown")') as known
      from matched join messages m on m.id = matched.id and m.created_at = matched.created_at
      -- Don't overwrite what another transaction has written about the message meanwhile.
      where m.parts is not distinct from matched.known_parts
        and (m.provider_message_id is null or m.parts is not null)
        and m.status in ('PENDING', 'FAILED_WITH_EXCEPTION')
      order by m.created_at, m.id for update of m
    ), adopted as (
      update messages m set provider_message_id = coalesce(m.provider_message_id, locked.provider_message_id),
        parts = locked.parts, updated_at = now(),
        status = case when known then 'SUCCESS' else m.status end, reason = case when known then '' else m.reason end,
        error_code = case when known then '' else m.error_code end,
        sent_at = case when known then m.claimed_at else m.sent_at end,
        unknown_since = case when known then null else m.unknown_since end
      from locked where m.id = locked.id and m.created_at = locked.created_at
      returning m.*
    ), named as (
      insert into carrier_ids (lane_id, provider_message_id, created_at, message_id, of_part)
      select lane_id, provider_message_id, created_at, id, null::boolean from adopted where parts is null
      union all
      select * from (${idsOfParts(sql`adopted`)}) of_parts (lane_id, provider_message_id, created_at, message_id, of_part)
      where not exists (select from carrier_ids c where c.lane_id = of_parts.lane_id
        and c.provider_message_id = of_parts.provider_message_id and c.created_at = of_parts.created_at
        and c.message_id = of_parts.message_id)
    )
    select id, account_id as "accountId", created_at::text as "createdAt", status = 'SUCCESS' as sent
    from adopted
    union all
    select id, null, null, null from matched where id not in (select id from adopted)`.execute(db);
  return {
    events: rows.flatMap(({ sent, ...row }) => (sent ? [{ event: 'sent', ...row }] : [])),
    overtaken: rows.filter(({ sent }) => sent === null).length,
  };
};
