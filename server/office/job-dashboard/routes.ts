import type { Db } from '../../ground/postgres/index.ts';
import type { CallerRoutes, MountedPages } from '../../ground/route/index.ts';
import type { JobDashboard } from './job-dashboard.ts';
import { admitCookie, COOKIE_SECONDS, makeTicket, redeemTicket } from './passes.ts';

export const JOBS_PATH = '/jobs';

export interface JobDashboardDeps {
  db: Db;
  dashboard: JobDashboard;
}

export const adminJobRoutes = ({ db }: Pick<JobDashboardDeps, 'db'>): CallerRoutes => ({
  'POST /admin/jobs/ticket': async ({ caller }) => ({
    path: `${JOBS_PATH}/enter?ticket=${await makeTicket(db, caller.sessionHash)}`,
  }),
});

export const jobPages = ({ db, dashboard }: JobDashboardDeps): MountedPages => ({
  path: JOBS_PATH,
  cookie: 'posthorn_jobs',
  cookieSeconds: COOKIE_SECONDS,
  enter: (ticket) => redeemTicket(db, ticket),
  landing: (asked) => (asked.get('state') === 'failed' ? `${JOBS_PATH}/jobs?state=failed` : JOBS_PATH),
  admits: (cookie) => admitCookie(db, cookie),
  answer: (request) => dashboard.answer(request),
});
