-- The field's words for what waits and what is claimed: lots become chunks of the outbox, hands become claims, and a
-- statement that holds for the usual case only is a fast path. Nothing but names changes. Processes of an older version
-- know the old names: stop them before this runs.
alter table lots rename to outbox_chunks;
alter index lots_pkey rename to outbox_chunks_pkey;
alter index lots_singles rename to outbox_chunks_singles;
alter index lots_scheduled rename to outbox_chunks_scheduled;
alter index lots_expiring rename to outbox_chunks_expiring;
alter sequence lots_id_seq rename to outbox_chunks_id_seq;
alter table hands rename to claims;
alter index hands_pkey rename to claims_pkey;
alter sequence hands_id_seq rename to claims_id_seq;

-- A trigger puts new messages into chunks, so that no insert can forget to.
create function outbox_add() returns trigger language plpgsql as $$
begin
  insert into outbox_chunks (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
  select lane_id, priority, account_id, due, batch_id, created_at, expires_at, '{}', ids[first : first + 99]
  from (
    select coalesce(lane_id, 0) as lane_id, priority, account_id, coalesce(not_before, scheduled_at, created_at) as due,
      batch_id, created_at, expires_at, array_agg(id order by id) as ids
    from after_rows where status = 'PENDING' and type = 'outgoing' and unknown_since is null
    group by 1, 2, 3, 4, 5, 6, 7
  ) waiting cross join generate_series(1, cardinality(ids), 100) as first;
  return null;
end $$;
drop trigger lots_add on messages;
drop function lots_add();
create trigger outbox_add after insert on messages
  referencing new table as after_rows for each statement execute function outbox_add();

-- Puts messages that wait again into chunks, by what their rows say now.
create function outbox_wait_again(p_ids uuid[], p_created_ats timestamptz[]) returns void language sql as $$
  insert into outbox_chunks (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
  select lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids[first : first + 99]
  from (
    select coalesce(m.lane_id, 0) as lane_id, m.priority, m.account_id,
      coalesce(m.not_before, m.scheduled_at, m.created_at) as due, m.batch_id, m.created_at, m.expires_at,
      m.tried_lanes, array_agg(m.id order by m.id) as ids
    from unnest(p_ids, p_created_ats) as given (id, created_at)
    join messages m on m.id = given.id and m.created_at = given.created_at
    where m.status = 'PENDING' and m.type = 'outgoing' and m.unknown_since is null
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ) waiting cross join generate_series(1, cardinality(ids), 100) as first;
$$;
drop function lots_wait_again(uuid[], timestamptz[]);

-- Takes the first messages of a chunk that the caller has locked; an empty chunk is deleted. Returns whether the chunk
-- was there. One chunk a call, by its key: the planner may read the whole table for a join, because the table was nearly
-- empty when it made its plan.
create function outbox_take(
  p_lane_id int, p_priority smallint, p_account_id uuid, p_due timestamptz, p_id bigint, p_taken int
) returns boolean language plpgsql as $$
begin
  delete from outbox_chunks where lane_id = p_lane_id and priority = p_priority and account_id = p_account_id
    and due = p_due and id = p_id and cardinality(ids) <= p_taken;
  if not found then
    update outbox_chunks set ids = ids[p_taken + 1 :] where lane_id = p_lane_id and priority = p_priority
      and account_id = p_account_id and due = p_due and id = p_id;
  end if;
  return found;
end $$;
drop function lots_take(int, smallint, uuid, timestamptz, bigint, int);

-- Rolls a fast path's statement back when its condition does not hold; the caller takes the general path.
create function require_fast_path(p_holds boolean) returns boolean language plpgsql as $$
begin
  if not coalesce(p_holds, false) then
    raise exception 'not for the fast path' using errcode = 'PH001';
  end if;
  return true;
end $$;
drop function require_plain(boolean);
