import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.ts';
import { runChecks } from './run-checks.ts';
import { honest, type Tally } from './tally.ts';
import { runTool } from './tool.ts';

const ROOT = join(import.meta.dirname, '..');
/** The same clock and language on every machine; a test that needs others sets them itself. */
const SURROUNDINGS = { TZ: 'UTC', LANG: 'C.UTF-8', LC_ALL: undefined, LANGUAGE: undefined };
const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

const ofVitest = (report: VitestReport): Tally => ({
  passed: report.numPassedTests,
  // A file that can't be loaded has no tests to count, but it is a failure.
  failed:
    report.numFailedTests +
    report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
      .length,
  skipped: report.numPendingTests + report.numTodoTests,
});

const ofPlaywright = ({ stats }: PlaywrightReport): Tally => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
});

/** Runs a tool that writes a report, and counts what the report says. */
const counted = async <Report>(
  run: (reportFile: string) => Promise<{ code: number; output: string }>,
  count: (report: Report) => Tally,
): Promise<Tally> => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-report-'));
  const file = join(folder, 'report.json');
  try {
    const { code, output } = await run(file);
    let tally = NOTHING;
    try {
      tally = count(JSON.parse(readFileSync(file, 'utf8')) as Report);
    } catch (error) {
      console.log(`There is no report to count: ${(error as Error).message}`);
    }
    return honest(tally, code, output);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const runUnit = (filters: string[]): Promise<Tally> =>
  counted<VitestReport>(
    (file) =>
      runTool(
        'vitest',
        ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...filters],
        {
          cwd: ROOT,
          env: { ...SURROUNDINGS, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) },
          live: true,
        },
      ),
    ofVitest,
  );

const runEndToEnd = async (filters: string[]): Promise<Tally> => {
  let browser: string;
  try {
    browser = await findBrowser(console.log);
  } catch (error) {
    console.log((error as Error).message);
    return { ...NOTHING, failed: 1 };
  }
  return counted<PlaywrightReport>(
    (file) =>
      runTool('playwright', ['test', '--reporter=list,json', ...filters], {
        cwd: ROOT,
        env: { ...SURROUNDINGS, POSTHORN_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
        live: true,
      }),
    ofPlaywright,
  );
};

/** In this order; a later stage runs even if an earlier one failed, so that one run shows everything. */
export const STAGES: Record<string, { title: string; run: (filters: string[]) => Promise<Tally> }> = {
  check: { title: 'Checks', run: () => runChecks(ROOT) },
  unit: { title: 'Unit and integration tests', run: runUnit },
  e2e: { title: 'End-to-end tests', run: runEndToEnd },
};
