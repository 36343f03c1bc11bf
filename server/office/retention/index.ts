export { adminRetentionRoutes } from './admin-routes.ts';
export type { RetentionDeps } from './carry-out.ts';
export { isRetentionAmiss } from './is-amiss.ts';
export { retentionRules } from './rules.ts';
export { retentionTasks } from './tasks.ts';
