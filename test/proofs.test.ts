import { expect, test, vi } from 'vitest';
import { namesBehind, openDoor } from '../bench/door.ts';

/** Programs and databases of their own, some of them killed and started again: a slow machine takes minutes. */
vi.setConfig({ testTimeout: 900_000 });

/** Every proof stays runnable: its quick run is part of the tests. */
test.each(namesBehind('proof'))('npm run prove: %s loses nothing in a quick run', async (name) => {
  const lines: string[] = [];
  const door = { command: 'prove', kind: 'proof', print: (line: string) => lines.push(line) } as const;
  expect(await openDoor(door, [name, '--quick', '--check']), lines.join('\n')).toBe(0);
});
