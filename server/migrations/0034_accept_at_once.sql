-- Ends a statement that may only be if something holds; whoever made it knows its code and goes another way.
create function require_plain(p_holds boolean) returns boolean language plpgsql as $$
begin
  if not coalesce(p_holds, false) then
    raise exception 'not plain' using errcode = 'PH001';
  end if;
  return true;
end $$;
