import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Imported } from '../../../contract/customer/opt-outs.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { openConcurrencyLimit } from '../limits/index.ts';
import type { FilePart } from '../route/index.ts';
import { text } from '../translations/index.ts';
import { csvPart } from './csv-part.ts';
import type { ImportTally } from './import-table.ts';
import type { SpooledCsv } from './spool.ts';

/** Each takes some of the database's time while it runs. One account leaves room for others. */
const MAX_CONCURRENT = 2;

/** How the lists of an account, whichever room keeps them, are taken from CSV files. */
export interface ListImports {
  file: FilePart<SpooledCsv>;
  maxFields: number;
  maxFieldBytes: number;
  /** Runs an import when its turn comes, and says in the reader's language what became of it. */
  run: (
    asked: { language: Language; accountId: AccountId },
    work: () => Promise<ImportTally>,
  ) => Promise<Imported>;
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

export const openListImports = (folder: string): ListImports => {
  const limited = openConcurrencyLimit(MAX_CONCURRENT, { maxPerKey: 1, maxWaitingPerKey: 20 });
  return {
    file: csvPart(folder),
    maxFields: 5,
    maxFieldBytes: 1_000,
    run: async ({ language, accountId }, work) =>
      viewImported(await limited(work, { key: accountId }), language),
  };
};
