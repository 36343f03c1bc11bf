import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The texts of the pages, by label and language. */
    pageTexts: Record<string, Record<string, string>>;
    /** What admins of each role may call, by the route table. */
    roleCalls: Record<string, string[]>;
  }
}

// The default leaves a core idle, which on two cores is half of them.
const WORKERS = Math.max(2, availableParallelism() - 1);
/** Beside the database, and for tests that wait for a lease or a timeout more than they compute. */
const WAITING_WORKERS = WORKERS + 1;

/** As test/patience.ts for `vi.waitFor`. */
const PATIENT = { poll: { timeout: 20_000 } };

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'rooms',
          include: ['{contract,server,agent,checks,bench}/**/*.test.ts'],
          // A worker loads each module once, not once for every file: no module of these has a state of its own, and
          // what a test opens it closes.
          isolate: false,
          setupFiles: ['test/patience.ts'],
          expect: PATIENT,
          maxWorkers: WAITING_WORKERS,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          // What the browser loads keeps its texts and its session in modules: each file has its own.
          name: 'web',
          include: ['web/**/*.test.ts'],
          maxWorkers: WAITING_WORKERS,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          // These render in a document without layout: what depends on sizes is shown in a real browser.
          name: 'pages',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          // A transition ends by a timer, and the last one of a file would end after its document is gone.
          environmentOptions: { happyDOM: { settings: { device: { prefersReducedMotion: 'reduce' } } } },
          globalSetup: ['test/provide-role-calls.ts'],
          provide: {
            pageTexts: JSON.parse(readFileSync('server/ground/translations/texts/pages.json', 'utf8')),
          },
          maxWorkers: WAITING_WORKERS,
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          // Each of these starts the whole program, some with a stopwatch: not beside the others.
          name: 'program',
          include: ['test/**/*.test.ts'],
          setupFiles: ['test/patience.ts'],
          expect: PATIENT,
          maxWorkers: WORKERS,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
