import type { Check } from './outcome.ts';
import { runTool } from './tool.ts';

/** Lint and format. */
export const checkStyle: Check = async (root) => {
  const { code, output } = await runTool('biome', ['ci', '--error-on-warnings', '--colors=off', '.'], {
    cwd: root,
  });
  return {
    note: /Checked \d+ files/.exec(output)?.[0].toLowerCase(),
    faults: code === 0 ? [] : [output.trim()],
  };
};
