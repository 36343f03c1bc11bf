import type { Judge } from '../../office/query/reader.ts';
import { judgeMysql } from './judge-mysql.ts';
import { type MysqlSecrets, traceSecrets } from './secret-use.ts';

/** What a thread does with a text that a stranger wrote. */
export const mysqlJudge: Judge = {
  judge: async (sql) => judgeMysql(sql),
  trace: async (sql, secrets) => traceSecrets(sql, secrets as MysqlSecrets),
};
