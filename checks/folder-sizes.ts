import { globSync } from 'node:fs';
import { posix, sep } from 'node:path';
import type { Check } from './outcome.ts';

/** What lies directly in a folder, tests not counted. */
const MOST_FILES = 30;
/** These grow by their nature: nothing of them is ever taken away. */
const GROWING = ['server/migrations', 'docs/decisions'];

const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path);

/** A folder that holds more than a reader takes in at a glance has a second noun in it. */
export const checkFolderSizes: Check = async (root) => {
  const counts = new Map<string, number>();
  for (const file of globSync('{contract,server,web,agent,test,bench,checks,launch,docs}/**/*.*', {
    cwd: root,
  })) {
    const path = file.split(sep).join('/');
    const folder = posix.dirname(path);
    if (!isTest(path) && !GROWING.includes(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return {
    note: `${counts.size} folders`,
    faults: [...counts]
      .filter(([, files]) => files > MOST_FILES)
      .map(
        ([folder, files]) =>
          `${folder}: folder-size: ${files} files; give its second noun a folder of its own`,
      ),
  };
};
