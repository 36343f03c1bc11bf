export type { JobDashboard } from './job-dashboard.ts';
export { adminJobRoutes, JOBS_PATH, type JobDashboardDeps, jobPages } from './routes.ts';
