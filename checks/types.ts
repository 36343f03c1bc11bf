import type { Check } from './outcome.ts';
import { runTool } from './tool.ts';

/** The server's and the browser's types, each by its own tsconfig.json. */
export const checkTypes: Check = async (root) => {
  const runs = await Promise.all(
    ['.', 'web'].map((project) =>
      runTool('tsc', ['--noEmit', '--pretty', 'false', '--project', project], { cwd: root }),
    ),
  );
  const lines = runs.filter(({ code }) => code !== 0).flatMap(({ output }) => output.trim().split('\n'));
  // contract/ belongs to both projects, so its faults appear twice.
  return { faults: [...new Set(lines)] };
};
