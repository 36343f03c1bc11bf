export { cellsOf, failedColumns } from './failed-csv.ts';
export { type FailedMessage, failedOf, markResent } from './failed-store.ts';
export { batchFiles, batchListRoutes, batchRoutes, requireOwnBatch } from './routes.ts';
export { isFree } from './store.ts';
export { batchTasks } from './tasks.ts';
