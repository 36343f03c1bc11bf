import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import mantinePreset from 'postcss-preset-mantine';
import simpleVars from 'postcss-simple-vars';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  root: join(import.meta.dirname, 'web'),
  plugins: [react(), precompress()],
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
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
});
