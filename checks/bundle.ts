import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Manifest } from 'vite';
import type { Check } from './outcome.ts';

const BUILT = 'dist/web';
const ENTRY = 'index.html';

/**
 * The most that the first load of a page may ship, in compressed kilobytes, and the modules that it needs besides the
 * entry.
 */
const BUDGETS = [
  { page: 'home', modules: ['pages/guest/public-layout.tsx', 'pages/guest/home.tsx'], maxKilobytes: 120 },
  {
    page: 'dashboard',
    modules: ['pages/page-imports.ts', 'pages/dashboard-layout.tsx', 'pages/customer/profile.tsx'],
    maxKilobytes: 250,
  },
];

const withImports = (manifest: Manifest, keys: string[], found = new Set<string>()): Set<string> => {
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`${BUILT} has no ${key}: correct BUDGETS in checks/bundle.ts`);
    if (found.has(chunk.file)) continue;
    found.add(chunk.file);
    withImports(manifest, chunk.imports ?? [], found);
  }
  return found;
};

/** Scripts that the page names itself, besides those of the bundler. */
const plainScripts = (root: string): string[] =>
  [...readFileSync(join(root, BUILT, ENTRY), 'utf8').matchAll(/<script[^>]*\ssrc="\/([^"]+)"/g)].map(
    ([, path]) => path ?? '',
  );

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1);

/** The JavaScript that the first load of a page ships, compressed. */
export const checkBundle: Check = async (root) => {
  const path = join(root, BUILT, '.vite/manifest.json');
  if (!existsSync(path)) return { faults: [`${path} is missing: the web pages are not built`] };
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
  const notes: string[] = [];
  const faults: string[] = [];
  for (const { page, modules, maxKilobytes } of BUDGETS) {
    const files = new Set([...withImports(manifest, [ENTRY, ...modules]), ...plainScripts(root)]);
    const scripts = [...files].map((file) => readFileSync(join(root, BUILT, file)));
    const gzip = scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0);
    const brotli = scripts.reduce((sum, script) => sum + brotliCompressSync(script).length, 0);
    notes.push(`${page} ${kilobytes(gzip)} of ${maxKilobytes} kB gzip, ${kilobytes(brotli)} kB brotli`);
    if (gzip > maxKilobytes * 1000)
      faults.push(`bundle-budget: ${page} ships ${kilobytes(gzip)} kB, more than ${maxKilobytes}`);
  }
  return { note: notes.join('; '), faults };
};
