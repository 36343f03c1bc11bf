import { accountParams } from '../../../contract/customer/accounts.ts';
import { messageExportQuery } from '../../../contract/traffic/message-search.ts';
import { openConcurrencyLimit } from '../../ground/limits/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type CallerFiles, callerFile, requireOwnAccount } from '../../ground/route/index.ts';
import { searchCsv } from './search/search-csv.ts';

export interface MessageFilesDeps {
  db: Db;
  /** Rows per query. */
  pageSize?: number;
}

/** However many files are being read, only this many of their queries run at the same time. */
const MAX_CONCURRENT = 2;

/** The messages of a search as a file. */
export const messageFiles = ({ db, pageSize }: MessageFilesDeps): CallerFiles => {
  const limited = openConcurrencyLimit(MAX_CONCURRENT);
  return {
    'GET /account/:accountId/messages.csv': callerFile({
      summary: 'Every message that fits a search as a CSV file, the newest first',
      params: accountParams,
      query: messageExportQuery,
      answer: async ({ caller, params, query: asked, language }) => {
        requireOwnAccount(caller, params.accountId);
        return {
          contentType: 'text/csv; charset=utf-8',
          fileName: 'messages.csv',
          body: await searchCsv(db, {
            caller,
            asked,
            language,
            limited: (ask) => limited(ask, { key: caller.accountId }),
            pageSize,
          }),
        };
      },
    }),
  };
};
