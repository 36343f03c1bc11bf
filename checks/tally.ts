export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** The end of what a failed stage printed, to be read below the thousands of lines of the stages after it. */
  told?: string;
}

export const add = (tallies: Tally[]): Tally => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
  skipped: tallies.reduce((sum, { skipped }) => sum + skipped, 0),
});

export const inWords = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

const TOLD_LINES = 60;

/** A stage that failed outside any test, or ran none, must not look like a success. */
export const honest = (tally: Tally, code: number, output: string): Tally => {
  const failed = tally.failed || (code !== 0 || tally.passed === 0 ? 1 : 0);
  if (failed === 0) return tally;
  return { ...tally, failed, told: output.trimEnd().split('\n').slice(-TOLD_LINES).join('\n') };
};
