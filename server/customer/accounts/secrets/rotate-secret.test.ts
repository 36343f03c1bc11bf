import { afterAll, expect, test } from 'vitest';
import { openTestAccounts } from '../../../../test/accounts.ts';
import { accountTasks } from '../tasks.ts';
import { endOldSecret } from './end-old-secret.ts';
import { openSenderSearch } from './find-sender.ts';
import { listOldSecrets } from './old-secret-store.ts';
import { readSecrets } from './read-secrets.ts';
import { rotateApiSecret } from './rotate-secret.ts';

const room = await openTestAccounts();
const { deps, db, pool } = room;
afterAll(room.close);

const newAccount = async () => {
  const { accountId } = await room.activeAccount();
  return { accountId, ...(await readSecrets(deps, accountId)) };
};
/** Without the cache that a process keeps for seconds. */
const find = (secret: string) => openSenderSearch(db)(secret);

test.each([
  { test: false, kind: 'secret', other: 'testSecret' },
  { test: true, kind: 'testSecret', other: 'secret' },
] as const)('a replaced $kind works on beside the new one, and the $other stays', async (how) => {
  const before = await newAccount();
  const { accountId } = before;
  await rotateApiSecret(deps, { accountId, test: how.test });
  const after = await readSecrets(deps, accountId);
  expect(after[how.kind]).not.toBe(before[how.kind]);
  expect(after[how.other]).toBe(before[how.other]);
  for (const secret of [before[how.kind], after[how.kind]])
    expect(await find(secret)).toEqual({ accountId, test: how.test });
  expect(await find(before[how.other])).toEqual({ accountId, test: !how.test });
  const [old] = await listOldSecrets(db, accountId);
  expect(old).toMatchObject({ test: how.test, hint: before[how.kind].slice(-4) });
  const hours = ((old?.endsAt.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24.01);
});

test('no secret that was replaced can be read from the database', async () => {
  const { accountId, secret } = await newAccount();
  await rotateApiSecret(deps, { accountId, test: false });
  const { rows } = await pool.query(
    'select old_secrets::text as row from old_secrets where account_id = $1',
    [accountId],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].row).not.toContain(secret.slice(0, -4));
});

test('asked for twice by mistake, what sends with the first secret is not cut off', async () => {
  const { accountId, secret } = await newAccount();
  await Promise.all([1, 2].map(() => rotateApiSecret(deps, { accountId, test: false })));
  expect(await find(secret)).toEqual({ accountId, test: false });
  expect(await listOldSecrets(db, accountId)).toHaveLength(2);
});

test('nobody gathers any number of secrets, also not at once', async () => {
  const { accountId, secret } = await newAccount();
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, () => rotateApiSecret(deps, { accountId, test: false })),
  );
  const refusals = results.filter(({ status }) => status === 'rejected');
  expect(refusals).toHaveLength(4);
  expect(refusals[0]).toMatchObject({ reason: { code: 'E_TOO_MANY_OLD_SECRETS', params: { maximum: 5 } } });
  expect(await find(secret)).toBeDefined();
  // Replaced test secrets are counted separately.
  await rotateApiSecret(deps, { accountId, test: true });
});

test('an old secret can be ended at once, by its own account only', async () => {
  const { accountId, secret } = await newAccount();
  const stranger = await newAccount();
  await rotateApiSecret(deps, { accountId, test: false });
  const [old] = await listOldSecrets(db, accountId);
  if (!old) throw new Error('there is no old secret');
  await expect(endOldSecret(db, { accountId: stranger.accountId, id: old.id })).rejects.toMatchObject({
    code: 'E_NOT_FOUND',
  });
  expect(await find(secret)).toBeDefined();
  await endOldSecret(db, { accountId, id: old.id });
  expect(await find(secret)).toBeUndefined();
  await expect(endOldSecret(db, { accountId, id: old.id })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
});

test('an old secret ends by itself, and is removed', async () => {
  const { accountId, secret } = await newAccount();
  await rotateApiSecret(deps, { accountId, test: false });
  await pool.query('update old_secrets set ends_at = now() where account_id = $1', [accountId]);
  expect(await find(secret)).toBeUndefined();
  expect(await listOldSecrets(db, accountId)).toEqual([]);
  await accountTasks(room.taskDeps)['accounts.remove-expired-tokens']?.run({}, new AbortController().signal);
  const { rows } = await pool.query('select 1 from old_secrets where account_id = $1', [accountId]);
  expect(rows).toEqual([]);
});

test('an old secret of an account that is not active sends nothing', async () => {
  const { accountId, secret } = await newAccount();
  await rotateApiSecret(deps, { accountId, test: false });
  await pool.query('update accounts set activated_at = null where id = $1', [accountId]);
  expect(await find(secret)).toBeUndefined();
});
