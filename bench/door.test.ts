import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDoor } from './door.ts';

const open = async (args: string[], { figure = 1 }: { figure?: number } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-door-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'lost.proof.ts'),
    `export default { title: 'What is lost', run: async ({ quick, size }) => ({
      rows: [{ what: 'messages', lost: ${figure} }],
      figures: { lost: ${figure}, quick: Number(quick), ...(size && { size }) },
      bars: [{ figure: 'lost', max: 0 }],
    }) };`,
  );
  const lines: string[] = [];
  const code = await openDoor(
    { command: 'prove', kind: 'proof', folder, print: (line) => lines.push(line) },
    args,
  );
  return { code, lines, last: lines.at(-1) ?? '' };
};

test('without a name the door tells the names', async () => {
  const { code, last } = await open([]);
  expect(code).toBe(1);
  expect(last).toContain('lost');
});

test('an unknown name is told in a sentence', async () => {
  const { code, last } = await open(['found']);
  expect(code).toBe(1);
  expect(last).toContain('There is no found');
});

test('an unknown part is told in a sentence', async () => {
  const { code, last } = await open(['lost', 'nothing']);
  expect(code).toBe(1);
  expect(last).toContain('lost has no part nothing');
});

test('a run ends with one line of JSON', async () => {
  const { code, last } = await open(['lost', '--quick']);
  expect(code).toBe(0);
  expect(JSON.parse(last)).toEqual({
    name: 'lost',
    quick: true,
    figures: { lost: 1, quick: 1 },
    bars: [{ figure: 'lost', max: 0, met: false }],
  });
});

test('a size is a number above 0', async () => {
  expect(JSON.parse((await open(['lost', '--size', '100000'])).last).figures).toMatchObject({
    size: 100_000,
  });
  for (const wrong of ['0', 'many'])
    expect(await open(['lost', '--size', wrong])).toMatchObject({
      code: 1,
      last: expect.stringContaining('--size'),
    });
});

test('--check fails below the bar, and only then', async () => {
  expect((await open(['lost', '--check'])).code).toBe(1);
  expect((await open(['lost', '--check'], { figure: 0 })).code).toBe(0);
});
