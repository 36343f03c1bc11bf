import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from './fault.mjs';
import { withProgress } from './progress.mjs';
import { ROOT } from './root.mjs';
import { runQuietly } from './run-quietly.mjs';
import { inTurn } from './turn.mjs';

const readPackages = (path) => {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/**
 * Compares the required packages with what npm says it has installed: npm writes that file last, so an interrupted
 * installation does not count. Packages for other systems may be missing.
 */
const areInstalled = () => {
  const wanted = readPackages('package-lock.json');
  const present = readPackages('node_modules/.package-lock.json');
  if (wanted === undefined) throw new Fault('The file package-lock.json is missing or broken: restore it.');
  if (present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true;
    const found = present[path];
    if (found === undefined) return Boolean(optional);
    return found.version === version && found.integrity === integrity;
  });
};

/** The npm that runs this command, if one does. */
const npm = () => {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script && /npm-cli\.c?js$/.test(script)) return [node ?? process.execPath, script];
  return ['npm'];
};

/** The reason that npm gives, without its hints and the path of its log. */
const reasonOf = (output) =>
  output
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trimEnd())
    .filter((line) => line !== '' && !/complete log|\.npm\/_logs/.test(line))
    .slice(0, 6)
    .map((line) => `  ${line}`)
    .join('\n');

/**
 * Not `npm ci`: it refuses a lock file that lacks packages for other systems, and a registry may not have them all. The
 * versions come from the lock file either way, and it is not written.
 */
const install = async () => {
  const { code, output } = await runQuietly(
    [
      ...npm(),
      'install',
      '--no-save',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=error',
    ],
    { shell: process.platform === 'win32' },
  );
  if (code !== 0)
    throw new Fault(
      `The packages could not be installed: check the network and the npm registry, then try again.\n${reasonOf(output)}`,
    );
};

export const ensurePackages = async () => {
  if (areInstalled()) return;
  await inTurn(async () => {
    if (!areInstalled()) await withProgress('Installing packages', install);
  });
};
