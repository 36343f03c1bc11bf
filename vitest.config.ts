import { defineConfig } from 'vitest/config';

const PROGRAM_TESTS = ['test/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['{contract,server,web,checks,bench}/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          // Each of these starts the whole program, some with a stopwatch: alone, and after the others.
          name: 'program',
          include: PROGRAM_TESTS,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
