import { accountParams } from '../../../contract/customer/accounts.ts';
import { optOutFilter, optOutImportFields } from '../../../contract/customer/opt-outs.ts';
import type { ListUpload } from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import {
  type CallerFiles,
  type CallerRoutes,
  type CallerUploads,
  callerFile,
  requireOwnAccount,
} from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import { addOptOut } from './add-opt-out.ts';
import { exportOptOuts } from './export-opt-outs.ts';
import { importOptOuts } from './import-opt-outs.ts';
import type { NamingDeps, OptOutsDeps } from './opt-outs-deps.ts';
import { countOptOuts, deleteOptOut, listOptOuts } from './store.ts';
import { viewOptOut } from './view.ts';

/** PostgreSQL can't store NUL in a text, so nothing can match it. */
const cleanKeyword = (keyword: string | undefined): string | undefined =>
  keyword?.replaceAll('\0', '').trim() || undefined;

export const optOutRoutes = (deps: NamingDeps): CallerRoutes => ({
  'GET /account/:accountId/optOuts': async ({ caller, params: { accountId }, query }) => {
    requireOwnAccount(caller, accountId);
    const { before, limit, channel } = query;
    const wanted = { accountId, channel, keyword: cleanKeyword(query.keyword) };
    const [rows, total] = await Promise.all([
      listOptOuts(deps.db, { ...wanted, before, limit: limit + 1 }),
      countOptOuts(deps.db, wanted),
    ]);
    const shown = rows.slice(0, limit);
    const nameOf = await deps.readNames(deps.db, shown);
    return { optOuts: shown.map((row) => viewOptOut(row, nameOf(row))), more: rows.length > limit, total };
  },
  'POST /account/:accountId/optOuts': async ({ caller, params: { accountId }, body, language }) => {
    requireOwnAccount(caller, accountId);
    const added = await addOptOut(deps, { ...body, accountId });
    const nameOf = await deps.readNames(deps.db, [added]);
    const optOut = viewOptOut(added, nameOf(added));
    return { message: text(language, 'opt_out.added', { recipient: optOut.phone }), optOut };
  },
  'DELETE /account/:accountId/optOuts/:optOutId': async ({ caller, params, language }) => {
    requireOwnAccount(caller, params.accountId);
    if (!(await deleteOptOut(deps.db, params))) throw new DomainError('E_NOT_FOUND');
    return { message: text(language, 'opt_out.removed') };
  },
});

export const optOutFiles = (deps: OptOutsDeps): CallerFiles => ({
  'GET /account/:accountId/optOuts.csv': callerFile({
    summary: 'Who no longer wants messages, as a CSV file',
    params: accountParams,
    query: optOutFilter,
    answer: ({ caller, params: { accountId }, query, language }) => {
      requireOwnAccount(caller, accountId);
      return {
        contentType: 'text/csv; charset=utf-8',
        fileName: 'opt-outs.csv',
        body: exportOptOuts(deps, { ...query, accountId, language }),
      };
    },
  }),
});

export const optOutUploads = (deps: OptOutsDeps, upload: ListUpload): CallerUploads => ({
  'POST /account/:accountId/optOuts/import': upload({
    summary: 'Opt out everybody in a CSV file',
    fields: optOutImportFields,
    importFile: (file) => importOptOuts(deps, file),
  }),
});
