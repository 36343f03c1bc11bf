export { openPostgresReader } from './postgres-reader.ts';
