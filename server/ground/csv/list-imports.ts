import type { z } from 'zod';
import { type AccountId, accountParams } from '../../../contract/customer/accounts.ts';
import { type Imported, imported } from '../../../contract/customer/opt-outs.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { openConcurrencyLimit } from '../limits/index.ts';
import { callerUpload, requireOwnAccount } from '../route/index.ts';
import { text } from '../translations/index.ts';
import { csvPart } from './csv-part.ts';
import type { ImportTally } from './import-table.ts';
import type { SpooledCsv } from './spool.ts';

/** Each takes some of the database's time while it runs. One account leaves room for others. */
const MAX_CONCURRENT = 2;

/** The file of a list, and whose list it is. */
export interface ListFile<Fields> {
  accountId: AccountId;
  csv: SpooledCsv;
  fields: Fields;
}

interface List<F extends z.ZodObject> {
  summary: string;
  fields: F;
  importFile: (file: ListFile<z.output<F>>) => Promise<ImportTally>;
}

const viewImported = (tally: ImportTally, language: Language): Imported => ({
  ...tally,
  message: text(language, 'import.done', { added: tally.added, known: tally.known, refused: tally.refused }),
  refusals: tally.refusals.map(({ row, column, code, params }) => ({
    row,
    column,
    code,
    message: text(language, `error.${code}`, params),
  })),
});

/** How the lists of an account, whichever room keeps them, are taken from CSV files. */
export const openListImports = (folder: string) => {
  const limited = openConcurrencyLimit(MAX_CONCURRENT, { maxPerKey: 1, maxWaitingPerKey: 20 });
  const file = csvPart(folder);
  /** The import runs when its turn comes; the answer says in the reader's language what became of it. */
  return <F extends z.ZodObject>({ summary, fields, importFile }: List<F>) =>
    callerUpload({
      summary,
      params: accountParams,
      fields,
      maxFields: 5,
      maxFieldBytes: 1_000,
      file,
      reply: imported,
      check: ({ caller, params }) => requireOwnAccount(caller, params.accountId),
      take: async ({ params: { accountId }, fields, file: csv, language }) =>
        viewImported(
          await limited(() => importFile({ accountId, csv, fields }), { key: accountId }),
          language,
        ),
    });
};
/** The upload of a list. */
export type ListUpload = ReturnType<typeof openListImports>;
