import type { Judge } from '../../office/query/reader.ts';
import { judgePostgres, queryIn } from './judge-postgres.ts';
import { type PostgresSecrets, refuseUntraceable, Untraceable } from './secret-use.ts';

/** What a thread does with a text that a stranger wrote. */
export const postgresJudge: Judge = {
  judge: judgePostgres,
  trace: async (sql, secrets) => {
    const query = await queryIn(sql);
    try {
      if (query) refuseUntraceable(query, secrets as PostgresSecrets);
    } catch (error) {
      if (!(error instanceof Untraceable)) throw error;
      return { kind: 'untraceable', what: error.what };
    }
    return { kind: 'traced', names: new Set() };
  },
};
