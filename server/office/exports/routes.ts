import { accountParams } from '../../../contract/customer/accounts.ts';
import { type CallerFiles, callerFile, requireOwnAccount } from '../../ground/route/index.ts';
import { type ExportsDeps, exportAccount } from './export-account.ts';

export const exportFiles = (deps: ExportsDeps): CallerFiles => ({
  'GET /account/:accountId/export.zip': callerFile({
    summary: 'All data of the account as a ZIP file, secrets left out; one at a time',
    params: accountParams,
    answer: async ({ caller, params: { accountId }, language }) => {
      requireOwnAccount(caller, accountId);
      const body = await exportAccount(deps, { accountId, language });
      return { contentType: 'application/zip', fileName: 'posthorn-export.zip', body };
    },
  }),
});
