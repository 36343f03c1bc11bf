import { expect, test } from 'vitest';
import { namesBehind, openDoor } from '../bench/door.ts';

const QUICK_RUNS = [
  ...namesBehind('bench').map((name) => ['bench', 'bench', name] as const),
  ...namesBehind('proof').map((name) => ['prove', 'proof', name] as const),
];

/** Every benchmark and proof stays runnable: its quick run is part of the tests, bars included. */
test.each(QUICK_RUNS)('npm run %s: the %s %s meets its bars in a quick run', async (command, kind, name) => {
  const lines: string[] = [];
  const code = await openDoor({ command, kind, print: (line) => lines.push(line) }, [
    name,
    '--quick',
    '--check',
  ]);
  expect(code, lines.join('\n')).toBe(0);
});
