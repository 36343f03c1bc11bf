import type { Judge } from '../../office/query/reader.ts';
import { judge, queryIn } from './judge.ts';
import { refuseUntraceable, type Secrets, Untraceable } from './secret-use.ts';

/** What a thread does with a text that a stranger wrote. */
export const statementJudge: Judge = {
  judge,
  trace: async (sql, secrets) => {
    const query = await queryIn(sql);
    try {
      if (query) refuseUntraceable(query, secrets as Secrets);
    } catch (error) {
      if (!(error instanceof Untraceable)) throw error;
      return { kind: 'untraceable', what: error.what };
    }
    return { kind: 'traced', names: new Set() };
  },
};
