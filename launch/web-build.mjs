import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Fault } from './fault.mjs';
import { withProgress } from './progress.mjs';
import { ROOT } from './root.mjs';
import { lastLines, runQuietly } from './run-quietly.mjs';
import { inTurn } from './turn.mjs';

const FOLDERS = ['web', 'contract'];
const FILES = ['vite.config.ts', 'package-lock.json'];
const BUILT = join(ROOT, 'dist/web');
const STAMP = join(ROOT, 'dist/web.sha256');

const hashSources = () => {
  const hash = createHash('sha256');
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name))),
  );
  for (const file of [...FILES, ...inFolders.sort()])
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
};

const isBuilt = (hash) =>
  existsSync(join(BUILT, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash;

/** Built in another folder and then moved, so that a running program is never without its pages for long. */
const build = async (hash) => {
  const fresh = `${BUILT}-new`;
  const old = `${BUILT}-old`;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const { code, output } = await runQuietly([
    process.execPath,
    vite,
    'build',
    '--outDir',
    '../dist/web-new',
    '--logLevel',
    'error',
  ]);
  if (code !== 0) throw new Fault(`The web pages could not be built:\n${lastLines(output, 20)}`);
  rmSync(STAMP, { force: true });
  rmSync(old, { recursive: true, force: true });
  if (existsSync(BUILT)) renameSync(BUILT, old);
  renameSync(fresh, BUILT);
  rmSync(old, { recursive: true, force: true });
  writeFileSync(STAMP, hash);
};

export const ensureWeb = async () => {
  if (isBuilt(hashSources())) return;
  await inTurn(async () => {
    const hash = hashSources();
    if (!isBuilt(hash)) await withProgress('Building the web pages', () => build(hash));
  });
};
