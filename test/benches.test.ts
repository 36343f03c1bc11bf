import { expect, test, vi } from 'vitest';
import { namesBehind, openDoor } from '../bench/door.ts';

/** Programs and databases of their own, some of them killed and started again: a slow machine takes minutes. */
vi.setConfig({ testTimeout: 900_000 });

/** Every benchmark stays runnable: its quick run is part of the tests. Without its bars: tests don't time things. */
test.each(namesBehind('bench'))('npm run bench: %s prints its figures in a quick run', async (name) => {
  const lines: string[] = [];
  const door = { command: 'bench', kind: 'bench', print: (line: string) => lines.push(line) } as const;
  expect(await openDoor(door, [name, '--quick']), lines.join('\n')).toBe(0);
});
