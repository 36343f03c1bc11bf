export { adminRetentionRoutes } from './admin-routes.ts';
export { carryOut, type RetentionDeps } from './carry-out.ts';
export type { Rule } from './rule.ts';
export { retentionRules } from './rules.ts';
export { retentionTasks } from './tasks.ts';
