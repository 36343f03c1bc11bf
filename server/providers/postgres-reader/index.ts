export { openPostgresReader } from './postgres-reader.ts';
export { statementJudge } from './statement-judge.ts';
