import type { Judge } from '../../office/query/reader.ts';
import { judge } from './judge.ts';
import { type Secrets, traceSecrets } from './secret-use.ts';

/** What a thread does with a text that a stranger wrote. */
export const statementJudge: Judge = {
  judge: async (sql) => judge(sql),
  trace: async (sql, secrets) => traceSecrets(sql, secrets as Secrets),
};
