import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { running, usedDataDir } from './data-dir.ts';

const LAUNCHER = fileURLToPath(new URL('../../posthorn.mjs', import.meta.url));
const PASSWORD = 'correct horse battery';

test('commands work beside the running program', async () => {
  const dataDir = await usedDataDir();
  const { url } = await running({ dataDir });
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [LAUNCHER, ...args], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
  const refusal = async (...args: string[]) => {
    const { code, stderr } = await run(...args).catch((error) => error);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    return stderr;
  };

  await run('create-admin', 'boss@example.com', PASSWORD);
  const login = await fetch(`${url}/api/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'boss@example.com', password: PASSWORD }),
  });
  const { token } = (await login.json()) as { token: string };
  const accounts = await fetch(`${url}/api/accounts`, { headers: { authorization: token } });
  expect(accounts.status).toBe(200);

  expect(await refusal('create-admin', 'boss@example.com', PASSWORD)).toContain('has an account already');
  expect(await refusal('create-admin')).toContain('Say whose account it is');
  expect(await refusal('create-admin', 'short@example.com', 'abc')).toContain('at least 8');
  expect((await run('migrate')).stdout).toContain('nothing to migrate');
  // The list of accounts is an entry.
  const whole = /the audit log is whole: 1 entries, head (1:[0-9a-f]{64})/;
  const [, head = ''] = whole.exec((await run('verify-audit')).stdout) ?? [];
  expect((await run('verify-audit', head)).stdout).toMatch(whole);
  expect(
    await refusal(
      'verify-audit',
      head.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ).toContain('Entry 1 of the audit log is changed.');
  expect((await run('doctor')).stdout).toContain('Nothing unsafe was found.');
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});
