export { openMysqlReader } from './mysql-reader.ts';
