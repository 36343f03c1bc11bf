import type { RetentionMode } from '../../../contract/office/retention.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { RetentionRule, RuleRun } from './rule.ts';
import { beginRun, endRun, findKnownSince, noteRemoved } from './store.ts';

export interface RetentionDeps {
  db: Db;
  mode: RetentionMode;
  rules: RetentionRule[];
  log: { info: (facts: object, message: string) => void };
}

/** As long as the days within which an account may be reopened. */
const DAY_MS = 24 * 3_600_000;
/** A dry run is a day old before the first removal; runs are a day apart, give or take a late start. */
const LOOKED_AT_MS = 20 * 3_600_000;

export const cutoffOf = ({ days }: Pick<RetentionRule, 'days'>, now: Date): Date =>
  new Date(now.getTime() - days * DAY_MS);

/** The first run with this period only counts, and so does every run while the operator wants a dry run. */
export const isDry = async (
  { db, mode }: Pick<RetentionDeps, 'db' | 'mode'>,
  { name, days }: Pick<RetentionRule, 'name' | 'days'>,
  now: Date,
): Promise<boolean> => {
  if (mode !== 'on') return true;
  const since = await findKnownSince(db, { rule: name, days });
  return since === null || now.getTime() - since.getTime() < LOOKED_AT_MS;
};

const carryOutRule = async (
  deps: RetentionDeps,
  rule: RetentionRule,
  { now, signal }: Pick<RuleRun, 'now' | 'signal'>,
): Promise<void> => {
  const { db, log } = deps;
  const cutoff = cutoffOf(rule, now);
  const dryRun = await isDry(deps, rule, now);
  const id = await beginRun(db, { rule: rule.name, days: rule.days, dryRun, ranAt: now, cutoff });
  let rows = 0;
  if (dryRun) {
    rows = await rule.count(db, cutoff);
    await noteRemoved(db, { id, rows, upTo: undefined });
  } else
    await rule.remove({
      db,
      now,
      cutoff,
      signal,
      piece: async (remove) => {
        const done = await db.transaction().execute(async (trx) => {
          const removed = await remove(trx);
          if (removed.rows > 0) await noteRemoved(trx, { id, rows: removed.rows, upTo: removed.upTo });
          return removed;
        });
        rows += done.rows;
        return done;
      },
    });
  if (signal.aborted) return;
  await endRun(db, { id, endedAt: new Date() });
  if (rows > 0) log.info({ rule: rule.name, rows, dryRun }, 'retention');
};

/** One after another: the last rules check whether those before them have removed everything. */
export const carryOut = async (
  deps: RetentionDeps,
  { now, signal }: Pick<RuleRun, 'now' | 'signal'>,
): Promise<void> => {
  if (deps.mode === 'off') return;
  for (const rule of deps.rules) {
    if (signal.aborted) throw new Error('retention was cut short');
    await carryOutRule(deps, rule, { now, signal });
  }
};
