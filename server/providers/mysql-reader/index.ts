export { openMysqlReader } from './mysql-reader.ts';
export { runScript } from './run-script.ts';
export { mysqlJudge } from './statement-judge.ts';
