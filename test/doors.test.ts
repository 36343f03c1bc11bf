import { expect, test } from 'vitest';
import { openDoor } from '../bench/door.ts';

/** Every benchmark and proof stays runnable: its quick run is part of the tests, bars included. */
test.each([
  ['bench', 'bench', 'startup'],
  ['prove', 'proof', 'restart'],
  ['prove', 'proof', 'wallet'],
] as const)('npm run %s: the %s %s meets its bars in a quick run', async (command, kind, name) => {
  const lines: string[] = [];
  const code = await openDoor({ command, kind, print: (line) => lines.push(line) }, [
    name,
    '--quick',
    '--check',
  ]);
  expect(code, lines.join('\n')).toBe(0);
});
