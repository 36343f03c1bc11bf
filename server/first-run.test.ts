import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SANDBOX_CARDS } from '../contract/sandbox-cards.ts';
import { openTestWallet } from '../test/wallet.ts';
import { findByEmail } from './accounts/index.ts';
import { makeDemo } from './first-run.ts';
import { sandboxCards } from './providers/sandbox-cards/index.ts';
import { readWallet } from './wallet/index.ts';

let room: Awaited<ReturnType<typeof openTestWallet>>;
beforeAll(async () => {
  room = await openTestWallet();
});
afterAll(() => room.close());

it('the demo is made once, also when the first try was cut off, and its passwords are for their owner only', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-demo-'));
  const processor = sandboxCards({ key: Buffer.alloc(32, 1), cards: SANDBOX_CARDS });
  const deps = { accounts: room.accounts, wallet: { ...room.deps, processor } };
  const path = await makeDemo(deps, dataDir);
  const first = await readFile(path, 'utf8');
  // As if the program had died just before it noted that the demo is made.
  await room.pool.query("delete from installation where name = 'first_run'");
  await makeDemo(deps, dataDir);
  await makeDemo(deps, dataDir);
  expect(await readFile(path, 'utf8')).toBe(first);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { customer, admin } = JSON.parse(first);
  expect(await findByEmail(room.db, admin.email)).toBeDefined();
  const account = await findByEmail(room.db, customer.email);
  if (!account) throw new Error('no demo customer');
  expect((await readWallet(room.db, account.id)).balanceMicros).toBe(75_500_000n);
  const { rows } = await room.pool.query('select status, count(*)::int from payments group by 1 order by 1');
  expect(rows).toEqual([
    { status: 'FAILED', count: 1 },
    { status: 'SUCCESS', count: 2 },
  ]);
});
