import { sql } from 'kysely';
import type { Db } from '../../ground/postgres/index.ts';

export interface LoggedRun {
  rule: string;
  days: number;
  dryRun: boolean;
  ranAt: Date;
  cutoff: Date;
  rows: bigint;
  upTo: Date | null;
  endedAt: Date | null;
}

const COLUMNS = sql`rule, period_days as days, dry_run as "dryRun", ran_at as "ranAt", cutoff, rows,
  up_to as "upTo", ended_at as "endedAt"`;

/** Retention and the reopening of accounts use one clock: the database's. */
export const readNow = async (db: Db): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  if (!rows[0]) throw new Error('the database has no clock');
  return rows[0].now;
};

export const beginRun = async (
  db: Db,
  { rule, days, dryRun, ranAt, cutoff }: Pick<LoggedRun, 'rule' | 'days' | 'dryRun' | 'ranAt' | 'cutoff'>,
): Promise<bigint> => {
  const { rows } = await sql<{ id: bigint }>`
    insert into retention_log (rule, period_days, dry_run, ran_at, cutoff)
    values (${rule}, ${days}, ${dryRun}, ${ranAt}, ${cutoff}) returning id`.execute(db);
  if (!rows[0]) throw new Error('the log of retention took no row');
  return rows[0].id;
};

/** In the transaction that removes. */
export const noteRemoved = async (
  db: Db,
  { id, rows, upTo }: { id: bigint; rows: number; upTo: Date | undefined },
): Promise<void> => {
  await sql`update retention_log set rows = rows + ${rows}, up_to = greatest(up_to, ${upTo ?? null}::timestamptz)
    where id = ${id}`.execute(db);
};

export const endRun = async (db: Db, { id, endedAt }: { id: bigint; endedAt: Date }): Promise<void> => {
  await sql`update retention_log set ended_at = ${endedAt} where id = ${id}`.execute(db);
};

/** The last run of each rule. */
export const listLastRuns = async (db: Db): Promise<LoggedRun[]> => {
  const { rows } = await sql<LoggedRun>`
    select distinct on (rule) ${COLUMNS} from retention_log order by rule, id desc`.execute(db);
  return rows;
};

/** Since when a rule has been running with this period without a break, from its log; null if it has not. */
export const findKnownSince = async (
  db: Db,
  { rule, days }: { rule: string; days: number },
): Promise<Date | null> => {
  const { rows } = await sql<{ since: Date | null }>`
    select min(ran_at) as since from retention_log
    where rule = ${rule} and ended_at is not null and id > coalesce(
      (select max(id) from retention_log where rule = ${rule} and period_days <> ${days}), 0)`.execute(db);
  return rows[0]?.since ?? null;
};

/** The newest first. Runs that had nothing to do are left out: there is one of each rule a day. */
export const listRuns = async (db: Db, limit: number): Promise<LoggedRun[]> => {
  const { rows } = await sql<LoggedRun>`
    select ${COLUMNS} from retention_log where rows > 0 or ended_at is null order by id desc limit ${limit}`.execute(
    db,
  );
  return rows;
};
