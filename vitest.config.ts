import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

declare module 'vitest' {
  interface ProvidedContext {
    /** The texts of the pages, by label and language. */
    pageTexts: Record<string, Record<string, string>>;
  }
}

export default defineConfig({
  test: {
    // The default leaves a core idle, which on two cores is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ['test/global-setup.ts'],
    projects: [
      {
        test: {
          name: 'rooms',
          include: ['{contract,server,web,checks,bench}/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          // These render in a document without layout: what depends on sizes is shown in a real browser.
          name: 'pages',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          provide: { pageTexts: JSON.parse(readFileSync('server/translations/texts/pages.json', 'utf8')) },
          testTimeout: 20_000,
        },
      },
      {
        test: {
          // Each of these starts the whole program, some with a stopwatch: not beside the others.
          name: 'program',
          include: ['test/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
