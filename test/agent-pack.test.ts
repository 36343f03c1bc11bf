import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const run = (...args: string[]) => promisify(execFile)(process.execPath, args);

test('the packed agent is plain JavaScript below 80 MB, and runs where nothing else is', async () => {
  const { stdout } = await run(join(ROOT, 'posthorn.mjs'), 'pack-agent');
  expect(stdout).toContain('dist/agent is ready');
  const folder = mkdtempSync(join(tmpdir(), 'agent-pack-'));
  try {
    cpSync(join(ROOT, 'dist/agent'), folder, { recursive: true });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(bytes).toBeLessThan(80e6);
    expect(files.filter(({ name }) => name.endsWith('.ts'))).toEqual([]);
    const { code, stderr } = await run(
      join(folder, 'agent.mjs'),
      '--server',
      'https://posthorn.example',
    ).catch((error) => error);
    expect(code).toBe(1);
    expect(stderr).toContain('Say which modems it has');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
