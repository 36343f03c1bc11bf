import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { Fault } from './fault.mjs';
import { withProgress } from './progress.mjs';
import { ROOT } from './root.mjs';

const TARGET = join(ROOT, 'dist/agent');
/** It has native code, so it can't be a part of the one file. */
const NATIVE = 'serialport';
const MOST_MEGABYTES = 80;

const readPackage = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

/** The folders of a package and of all that it needs, from the root's node_modules or from its own. */
const closureOf = (name, from = ROOT, found = new Map()) => {
  const nested = join(from, 'node_modules', name);
  const folder = existsSync(nested) ? nested : join(ROOT, 'node_modules', name);
  if (found.has(folder)) return found;
  found.set(folder, name);
  for (const needed of Object.keys(readPackage(folder).dependencies ?? {})) closureOf(needed, folder, found);
  return found;
};

/** Sources and types of packages are not run. */
const isNeeded = (path) => !/\.(ts|map|md|cc|h|mm|gyp)$/.test(path);

const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const pack = async () => {
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(TARGET, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    ssr: { noExternal: true, external: [NATIVE] },
    build: {
      ssr: 'agent/main.ts',
      outDir: TARGET,
      emptyOutDir: false,
      target: 'node22',
      rollupOptions: { output: { entryFileNames: 'agent.mjs' } },
    },
  });
  const packages = closureOf(NATIVE);
  for (const folder of packages.keys())
    cpSync(folder, join(TARGET, relative(ROOT, folder)), {
      recursive: true,
      filter: (path) =>
        isNeeded(path) && (path === folder || !path.slice(folder.length).includes('/node_modules')),
    });
  const { version, license } = readPackage(ROOT);
  writeFileSync(
    join(TARGET, 'package.json'),
    `${JSON.stringify({ name: 'posthorn-agent', version, license, private: true, type: 'module', engines: { node: '>=22' } }, undefined, 2)}\n`,
  );
  cpSync(join(ROOT, 'LICENSE'), join(TARGET, 'LICENSE'));
  cpSync(join(ROOT, 'docs/AGENT.md'), join(TARGET, 'README.md'));
};

await withProgress('Packing the agent', pack);
const megabytes = sizeOf(TARGET) / 1e6;
if (megabytes > MOST_MEGABYTES)
  throw new Fault(`dist/agent has ${megabytes.toFixed(1)} MB, more than ${MOST_MEGABYTES}.`);
process.stdout.write(
  `posthorn: dist/agent is ready, ${megabytes.toFixed(1)} MB: copy it and run node agent.mjs there\n`,
);
