/** A process id alone may be another process's later. */
const BACKEND = "pid || ' ' || extract(epoch from backend_start)";

export const OWN_BACKEND = `select ${BACKEND} as backend from pg_stat_activity where pid = pg_backend_pid()`;

export const AT_WORK = `select from pg_stat_activity where ${BACKEND} = $1`;
