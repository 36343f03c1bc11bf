export { openPostgresReader } from './postgres-reader.ts';
export { postgresJudge } from './statement-judge.ts';
