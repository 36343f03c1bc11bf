import { defineConfig } from '@playwright/test';
import { FONTCONFIG_FILE } from './test/e2e/fonts/fonts.ts';

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // A program that does not even start would otherwise say so once for every test.
  maxFailures: 15,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // Without the moving pictures, which cost more than the test itself.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.POSTHORN_CHROMIUM,
      env: { ...process.env, FONTCONFIG_FILE },
    },
  },
});
