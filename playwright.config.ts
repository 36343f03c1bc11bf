import { defineConfig } from '@playwright/test';
import { FONTCONFIG_FILE } from './test/e2e/fonts/fonts.ts';

const STRIPE = /stripe\.spec\.ts$/;

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // A program that does not even start would otherwise say so once for every test.
  maxFailures: 15,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // The first needs a program with other settings, so also a worker of its own: in the end the others would wait for it.
  projects: [
    { name: 'stripe', testMatch: STRIPE },
    { name: 'pages', testIgnore: STRIPE },
  ],
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // A trace copies the page at every step, of tests that pass too. `--trace retain-on-failure` asks for it.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Nothing slides or fades in, so that no test waits for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.POSTHORN_CHROMIUM,
      env: { ...process.env, FONTCONFIG_FILE },
    },
  },
});
