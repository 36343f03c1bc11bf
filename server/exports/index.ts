export { type ExportsDeps, exportAccount } from './export-account.ts';
