export type { BulkActionsDeps } from './bulk-actions-deps.ts';
export { adminBulkActionRoutes } from './routes.ts';
export { bulkActionTasks } from './tasks.ts';
