import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A part of Vite's manifest: https://vite.dev/guide/backend-integration */
type Manifest = Record<string, { file: string; imports?: string[] }>;

const ENTRY = 'index.html';

/** The modules of a page's first load, beside those that every page has. A page's file bears the name of its path. */
const modulesOf = (path: string): string[] => {
  const [first = '', ...rest] = path.split('/').filter(Boolean);
  if (first === '') return ['pages/guest/public-layout.tsx', 'pages/guest/home.tsx'];
  const page = `${rest.at(-1) ?? first}.tsx`;
  return first === 'dashboard'
    ? ['pages/page-imports.ts', 'pages/dashboard-layout.tsx', `pages/customer/${page}`]
    : ['pages/page-imports.ts', 'pages/guest/guest-layout.tsx', `pages/guest/${page}`];
};

const filesOf = (manifest: Manifest, modules: string[], found = new Set<string>()): Set<string> => {
  for (const { file, imports = [] } of modules.flatMap((name) => manifest[name] ?? [])) {
    if (found.has(file)) continue;
    found.add(file);
    filesOf(manifest, imports, found);
  }
  return found;
};

/**
 * Names the scripts of a path's first load, so that they travel together instead of each after the one that asks for it.
 * Admins' pages have other names in the manifest: their code is named to nobody.
 */
export const openFirstScripts = (folder: string): ((path: string) => string) => {
  const path = join(folder, '.vite/manifest.json');
  const manifest: Manifest = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const always = filesOf(manifest, [ENTRY]);
  return (address) =>
    [...filesOf(manifest, modulesOf(address), new Set(always))]
      .filter((file) => !always.has(file))
      .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
      .join('');
};
