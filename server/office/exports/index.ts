export type { ExportsDeps } from './export-account.ts';
export { exportFiles } from './routes.ts';
