import { checkBundle } from './bundle.ts';
import { checkDocuments } from './documents.ts';
import { checkFolderSizes } from './folder-sizes.ts';
import { checkImports } from './imports/import-rules.ts';
import { checkLabels } from './labels.ts';
import { checkLock } from './lock.ts';
import type { Check } from './outcome.ts';
import { checkRouteTable } from './route-table.ts';
import { checkSettings } from './settings.ts';
import { checkStyle } from './style.ts';
import { checkTableOwners } from './tables/table-owners.ts';
import type { Tally } from './tally.ts';
import { checkTypes } from './types.ts';
import { checkWebBuild } from './web-build.ts';
import { checkWords } from './words.ts';

type Named = Record<string, Check>;

/** First, because the bundle's size is measured from it. */
const BUILD: Named = { 'web build': checkWebBuild };
const CHECKS: Named = {
  types: checkTypes,
  'lint and format': checkStyle,
  'import rules': checkImports,
  'folder sizes': checkFolderSizes,
  documents: checkDocuments,
  'route table': checkRouteTable,
  'table owners': checkTableOwners,
  'settings only in config.ts': checkSettings,
  'labels and texts': checkLabels,
  'words in Chinese': checkWords,
  'lock file': checkLock,
  'bundle budget': checkBundle,
};

/** What a check that failed says; undefined where it passed. */
const runAll = (checks: Named, root: string): Promise<(string | undefined)[]> =>
  Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const begun = performance.now();
      const { note, faults } = await check(root).catch((error: Error) => ({
        note: undefined,
        faults: [error.stack ?? error.message],
      }));
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      const line = `${faults.length === 0 ? 'ok    ' : 'FAILED'}  ${name}${note ? ` (${note})` : ''}`;
      const told = [`${line}  ${seconds} s`, ...faults.map((fault) => `  ${fault}`)].join('\n');
      console.log(told);
      return faults.length > 0 ? told : undefined;
    }),
  );

/** Runs every check and prints a line for each when it ends, with the faults below it. */
export const runChecks = async (root: string): Promise<Tally> => {
  const results = [...(await runAll(BUILD, root)), ...(await runAll(CHECKS, root))];
  const failed = results.filter((told) => told !== undefined);
  const passed = results.length - failed.length;
  return { passed, failed: failed.length, skipped: 0, told: failed.join('\n') };
};
