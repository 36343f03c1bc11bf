/** What a user who only reads must not be or have. Each column says what there is too much of, or is null. */
export const EXCESS = `
  select
    (select 'SUPERUSER, CREATEROLE, CREATEDB, REPLICATION or BYPASSRLS' from pg_roles
      where rolname = current_user
        and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)) as attributes,
    (select 'membership in ' || rolname from pg_roles
      where rolname in ('pg_write_all_data', 'pg_execute_server_program', 'pg_read_server_files',
          'pg_write_server_files', 'pg_signal_backend', 'pg_maintain', 'pg_checkpoint',
          'pg_create_subscription', 'pg_database_owner')
        and pg_has_role(current_user, oid, 'member')
      limit 1) as membership,
    (select 'writing to ' || c.oid::regclass::text from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$)'
        and (has_table_privilege(c.oid, 'insert, update, delete, truncate')
          or has_any_column_privilege(c.oid, 'insert, update'))
      limit 1) as writing,
    (select 'creating in the schema ' || nspname from pg_namespace
      where nspname !~ '^pg_' and has_schema_privilege(oid, 'create')
      limit 1) as creating,
    (select 'the SECURITY DEFINER function ' || p.oid::regprocedure::text from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname !~ '^(pg_|information_schema$)'
        and has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')
      limit 1) as definer,
    (select 'reading the secret ' || s.name from unnest($1::text[]) as s (name)
      cross join lateral string_to_array(s.name, '.') as part
      join pg_namespace n on n.nspname = part[1]
      join pg_class c on c.relnamespace = n.oid and c.relname = part[2]
      join pg_attribute a on a.attrelid = c.oid and a.attname = part[3]
      where has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select')
      limit 1) as secret`;

export const POSTGRES_DATABASES = `
  select datname from pg_database
  where datallowconn and not datistemplate and has_database_privilege(oid, 'connect')
  order by datname`;

/** Without the schema where the user's search path finds the table. */
export const POSTGRES_COLUMNS = `
  select case when pg_table_is_visible(c.oid) then quote_ident(c.relname)
      else quote_ident(n.nspname) || '.' || quote_ident(c.relname) end,
    a.attname, format_type(a.atttypid, a.atttypmod)
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and n.nspname !~ '^(pg_|information_schema$)'
    and has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select')
  order by 1, a.attnum
  limit 20000`;

export const TYPE_NAMES = 'select oid, format_type(oid, null) as name from unnest($1::oid[]) as t (oid)';

/** The columns that are marked secret, of these tables and of their relatives by inheritance. */
export const SECRETS = `
  with recursive marked as (
    select s.name, c.oid, a.attname from unnest($1::text[]) as s (name)
    cross join lateral string_to_array(s.name, '.') as part
    left join pg_namespace n on n.nspname = part[1]
    left join pg_class c on c.relnamespace = n.oid and c.relname = part[2]
    left join pg_attribute a on a.attrelid = c.oid and a.attname = part[3]
  ), family (oid, attname) as (
    select oid, attname from marked where attname is not null
    union
    select case when i.inhparent = f.oid then i.inhrelid else i.inhparent end, f.attname
    from family f join pg_inherits i on f.oid in (i.inhparent, i.inhrelid)
  ), written as (
    -- In a language that runs SQL, not in C.
    select p.oid from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    join pg_language l on l.oid = p.prolang
    where n.nspname <> 'pg_catalog' and l.lanname not in ('internal', 'c')
  )
  select
    (select coalesce(json_agg(name), '[]') from marked where attname is null) as missing,
    (select coalesce(json_agg(json_build_object('oid', f.oid::text, 'number', a.attnum, 'table', c.relname,
        'column', f.attname, 'all', (select json_agg(attname) from pg_attribute where attrelid = f.oid))), '[]')
      from family f
      join pg_class c on c.oid = f.oid
      join pg_attribute a on a.attrelid = f.oid and a.attname = f.attname) as columns,
    (select coalesce(json_agg(distinct p.proname), '[]') from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
      left join pg_aggregate g on g.aggfnoid = p.oid
      where n.nspname <> 'pg_catalog'
        and exists (select from written where oid in (p.oid, g.aggtransfn, g.aggfinalfn))) as functions,
    (select coalesce(json_agg(distinct oprname), '[]') from pg_operator o
      join written on written.oid = o.oprcode) as operators,
    (select coalesce(json_agg(distinct typname), '[]') from pg_type t
      join pg_namespace n on n.oid = t.typnamespace
      where t.typtype = 'd' and n.nspname <> 'information_schema') as domains`;

/** What would show a secret of these tables under another name, or compute with it. */
export const LEAKS = `
  with recursive reading (oid) as (
    select unnest($1::oid[])
    union
    select r.ev_class from reading
    join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = reading.oid
      and d.classid = 'pg_rewrite'::regclass
    join pg_rewrite r on r.oid = d.objid
  )
  select
    (select 'the view ' || oid::regclass::text || ' of a table with secrets' from reading
      where oid <> all ($1::oid[]) and has_any_column_privilege(oid, 'select')
      limit 1) as views,
    (select 'a generated column in ' || attrelid::regclass::text from pg_attribute
      where attrelid = any ($1::oid[]) and attgenerated <> ''
      limit 1) as generated,
    (select 'the cast by ' || c.castfunc::regprocedure::text from pg_cast c
      join pg_proc p on p.oid = c.castfunc
      join pg_language l on l.oid = p.prolang
      where l.lanname not in ('internal', 'c') and p.pronamespace <> 'pg_catalog'::regnamespace
      limit 1) as casting`;
