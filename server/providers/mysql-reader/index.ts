export { openMysqlReader } from './mysql-reader.ts';
export { runScript } from './run-script.ts';
export { statementJudge } from './statement-judge.ts';
