-- Takes the first messages of a lot that the caller has locked; one that is empty then is gone. Says whether it was
-- there. One lot a call, by its key: joined with the lots to be taken, the planner may read all others as well, since
-- the table was nearly empty when it made its plan.
create function lots_take(
  p_lane_id int, p_priority smallint, p_account_id uuid, p_due timestamptz, p_id bigint, p_taken int
) returns boolean language plpgsql as $$
begin
  delete from lots where lane_id = p_lane_id and priority = p_priority and account_id = p_account_id
    and due = p_due and id = p_id and cardinality(ids) <= p_taken;
  if not found then
    update lots set ids = ids[p_taken + 1 :] where lane_id = p_lane_id and priority = p_priority
      and account_id = p_account_id and due = p_due and id = p_id;
  end if;
  return found;
end $$;
