/**
 * Functions that a read-only transaction and a user without privileges don't stop: those that reach other sessions,
 * change this one, outlive the transaction, wait, or read what is given as a text and was never judged.
 */
const FORBIDDEN = new Set([
  'pg_terminate_backend',
  'pg_cancel_backend',
  'pg_log_backend_memory_contexts',
  'pg_reload_conf',
  'pg_rotate_logfile',
  'pg_switch_wal',
  'pg_create_restore_point',
  'pg_promote',
  'pg_notify',
  'set_config',
  'nextval',
  'setval',
  'pg_export_snapshot',
  'query_to_xml',
  'query_to_xmlschema',
  'query_to_xml_and_xmlschema',
  'cursor_to_xml',
  'cursor_to_xmlschema',
  'ts_stat',
  'ts_rewrite',
  'xpath_table',
  'crosstab',
  'connectby',
  'currtid2',
  'pg_read_file',
  'pg_read_binary_file',
  'pg_stat_file',
  'pg_logical_emit_message',
  'pg_import_system_collations',
  'pg_stat_get_activity',
  'pg_stat_get_backend_activity',
  'pg_stat_statements',
  'pg_clear_attribute_stats',
  'pg_restore_attribute_stats',
]);

const FAMILIES =
  /^(dblink|lo_|lowrite|loread|pg_sleep|pg_(try_)?advisory|pg_ls_|pg_stat_reset|pg_backup_|pg_replication_|pg_create_|pg_drop_|pg_copy_|pg_wal_replay_|pg_read_|pg_file_|(table|schema|database)_to_xml|brin_|gin_clean|crosstab\d*$)/;

export const isForbidden = (name: string): boolean => {
  const lower = name.toLowerCase();
  return FORBIDDEN.has(lower) || FAMILIES.test(lower);
};

/** Relations that show what others ask: all of a zone's statements are one user's, who sees its own. */
const TELLING = new Set(['pg_stat_activity', 'pg_stat_statements']);

export const tellsOfOthers = (relation: string): boolean => TELLING.has(relation);
