import { expect, test } from 'vitest';
import { namesBehind, openDoor } from '../bench/door.ts';

const run = async (door: Pick<Parameters<typeof openDoor>[0], 'command' | 'kind'>, args: string[]) => {
  const lines: string[] = [];
  const code = await openDoor({ ...door, print: (line) => lines.push(line) }, args);
  expect(code, lines.join('\n')).toBe(0);
};

/** Every benchmark and proof stays runnable: its quick run is part of the tests. */
test.each(namesBehind('proof'))('npm run prove: %s loses nothing in a quick run', (name) =>
  run({ command: 'prove', kind: 'proof' }, [name, '--quick', '--check']),
);

// Without their bars: tests don't time things.
test.each(namesBehind('bench'))('npm run bench: %s prints its figures in a quick run', (name) =>
  run({ command: 'bench', kind: 'bench' }, [name, '--quick']),
);
