import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import mantinePreset from 'postcss-preset-mantine';
import simpleVars from 'postcss-simple-vars';
import { build, defineConfig, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { isPage, looksLikePage } from './contract/pages.ts';

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/**
 * Writes each asset's .br and .gz beside it, so that the server never compresses while someone waits.
 * The page itself is left out: the server fills a nonce into it for every answer.
 */
const precompress = (): Plugin => {
  let outDir = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      outDir = resolve(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
      const assets = entries.filter((entry) => entry.isFile() && /\.(?:js|css|svg)$/.test(entry.name));
      await Promise.all(
        assets.map(async (entry) => {
          const path = join(entry.parentPath, entry.name);
          const content = await readFile(path);
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          await writeFile(`${path}.br`, await asBrotli(content, quality));
          await writeFile(`${path}.gz`, await asGzip(content, { level: constants.Z_BEST_COMPRESSION }));
        }),
      );
    },
  };
};

/** What there is not is 404 while developing too: Vite would answer it with the pages and 200. */
const refuseUnknown = (): Plugin => ({
  name: 'refuse-unknown',
  apply: 'serve',
  // After Vite has looked for a file, and before it answers with the index instead.
  configureServer: (vite) => () => {
    vite.middlewares.use(async ({ originalUrl = '/' }, response, next) => {
      const path = originalUrl.split('?', 1)[0] ?? '/';
      if (isPage(path)) return next();
      response.statusCode = 404;
      if (!looksLikePage(path)) return response.setHeader('content-type', 'text/plain').end('Not found.\n');
      const index = await readFile(join(vite.config.root, 'index.html'), 'utf8');
      response.setHeader('content-type', 'text/html').end(await vite.transformIndexHtml(originalUrl, index));
    });
  },
});

const config: InlineConfig = {
  root: join(import.meta.dirname, 'web'),
  plugins: [react(), refuseUnknown()],
  css: {
    postcss: {
      plugins: [
        mantinePreset(),
        simpleVars({
          variables: {
            'mantine-breakpoint-xs': '36em',
            'mantine-breakpoint-sm': '48em',
            'mantine-breakpoint-md': '62em',
            'mantine-breakpoint-lg': '75em',
            'mantine-breakpoint-xl': '88em',
          },
        }),
      ],
    },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // Inlined assets would be data: addresses, which the content security policy does not need to allow.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
};

/**
 * What several pages share is one file an area, because a browser fetches six files at a time from us, and many small ones
 * cost a slow line a round trip each. A module belongs to the first area that has a page with it. What only admins' pages
 * share has no area, so that no customer loads it.
 */
const AREAS = [
  { name: 'public', pages: /[\\/]pages[\\/]guest[\\/](home|public-layout)\.tsx$/ },
  {
    name: 'guest',
    pages:
      /[\\/]pages[\\/]guest[\\/](guest-layout|login|register|forgot-password|reset-password|activate)\.tsx$/,
  },
  // The first page after signing in does not load what only others share, such as lists.
  { name: 'dashboard', pages: /[\\/]pages[\\/](dashboard-layout|customer[\\/]profile)\.tsx$/ },
  { name: 'pages', pages: /^(?!.*[\\/]admin).*$/ },
];

type Pages = Map<string, Set<string>>;

/**
 * The pages that need each module, by a build that writes nothing: only the bundler knows what is left of a package once
 * the unused is gone.
 */
const readPages = async (): Promise<Pages> => {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    build: { ...config.build, write: false, minify: false, manifest: false },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one]] : [])));
  const pages: Pages = new Map();
  for (const { isEntry, isDynamicEntry, facadeModuleId, fileName } of chunks.values()) {
    if (!facadeModuleId || !(isEntry || isDynamicEntry)) continue;
    const needed = new Set([fileName]);
    for (const file of needed) for (const other of chunks.get(file)?.imports ?? []) needed.add(other);
    for (const file of needed)
      for (const id of chunks.get(file)?.moduleIds ?? [])
        pages.set(id, (pages.get(id) ?? new Set()).add(facadeModuleId));
  }
  return pages;
};

const areaOf = (id: string, pages: Pages): string | undefined => {
  const users = [...(pages.get(id) ?? [])];
  return users.length < 2
    ? undefined
    : AREAS.find((area) => users.some((page) => area.pages.test(page)))?.name;
};

const splitByAreas = async (): Promise<Rolldown.CodeSplittingOptions> => {
  const pages = await readPages();
  return {
    groups: [
      { name: 'start', tags: ['$initial'], priority: AREAS.length + 1 },
      ...AREAS.map(({ name }, at) => ({
        name,
        test: (id: string) => areaOf(id, pages) === name,
        priority: AREAS.length - at,
      })),
    ],
  };
};

export default defineConfig(async ({ command }) =>
  command === 'serve'
    ? config
    : {
        ...config,
        plugins: [react(), precompress()],
        build: { ...config.build, rolldownOptions: { output: { codeSplitting: await splitByAreas() } } },
      },
);
