import { SERVER } from '../../contract/office/audit.ts';
import { openAudit } from '../office/audit/index.ts';
import type { Withheld } from '../office/query/index.ts';
import type { Installation } from './installation.ts';

/** Without anybody's call: whoever leaves before the end would leave no trace. */
export const withholding =
  ({ database, log }: Pick<Installation, 'database' | 'log'>) =>
  async ({ accountId, queryId, until }: Withheld): Promise<void> => {
    log.warn({ account: accountId, query: queryId, until }, 'queries had to be ended by force: no turn');
    // Whoever has the service's key is a program beside this one, and asks the service itself.
    const who =
      accountId === undefined
        ? { adminId: SERVER, call: 'POST /sql_query' }
        : { adminId: accountId, call: 'POST /qf/sql_query' };
    const call = { ...who, accountId: null, subject: queryId, address: '' };
    const { end } = await openAudit(database.db).ask(call, {});
    await end({ event: 'refused', after: { withheldUntil: until.toISOString() } });
  };
