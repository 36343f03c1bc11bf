import type { RetentionRun } from '../../../contract/office/retention.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import { cutoffOf, isDry, type RetentionDeps } from './carry-out.ts';
import { type LoggedRun, listLastRuns, listRuns, readNow } from './store.ts';

const LISTED = 200;

const view = ({ ranAt, cutoff, rows, upTo, endedAt, ...run }: LoggedRun): RetentionRun => ({
  ...run,
  ranAt: ranAt.toISOString(),
  cutoff: cutoff.toISOString(),
  rows: Number(rows),
  upTo: upTo?.toISOString() ?? null,
  endedAt: endedAt?.toISOString() ?? null,
});

export const adminRetentionRoutes = (deps: RetentionDeps): CallerRoutes => ({
  'GET /admin/retention': async ({ language }) => {
    const now = await readNow(deps.db);
    const last = new Map((await listLastRuns(deps.db)).map((run) => [run.rule, run]));
    const rules = [];
    // One after another: they are counts, and nobody is in a hurry.
    for (const rule of deps.rules) {
      const run = last.get(rule.name);
      rules.push({
        name: rule.name,
        days: rule.days,
        removes: text(language, `retention.rule.${rule.name}`),
        due: await rule.count(deps.db, cutoffOf(rule, now)),
        nextIsDry: await isDry(deps, rule, new Date(now.getTime() + 24 * 3_600_000)),
        last: run ? view(run) : null,
      });
    }
    return { mode: deps.mode, rules, log: (await listRuns(deps.db, LISTED)).map(view) };
  },
});
