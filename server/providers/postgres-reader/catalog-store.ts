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
    (select 'reading the secret ' || s.name from unnest($1::text[]) as s (name)
      cross join lateral string_to_array(s.name, '.') as part
      join pg_namespace n on n.nspname = part[1]
      join pg_class c on c.relnamespace = n.oid and c.relname = part[2]
      join pg_attribute a on a.attrelid = c.oid and a.attname = part[3]
      where has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select')
      limit 1) as secret`;

export const DATABASES = `
  select datname from pg_database
  where datallowconn and not datistemplate and has_database_privilege(oid, 'connect')
  order by datname`;

/** Without the schema where the user's search path finds the table. */
export const COLUMNS = `
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

export const TYPES = 'select oid, format_type(oid, null) as name from unnest($1::oid[]) as t (oid)';
