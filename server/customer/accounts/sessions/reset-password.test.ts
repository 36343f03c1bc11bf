import { afterAll, expect, test } from 'vitest';
import { openTestAccounts, tokenIn } from '../../../../test/accounts.ts';
import { register } from '../opening/register.ts';
import { forgotPassword } from './forgot-password.ts';
import { logIn } from './log-in.ts';
import { resetPassword } from './reset-password.ts';
import { findSession } from './session.ts';

const room = await openTestAccounts();
afterAll(room.close);
const { deps, db, pool } = room;

const NEW = { password: 'a new password', confirmPassword: 'a new password' };

const forgetful = async () => {
  const account = await room.activeAccount();
  await forgotPassword(deps, account);
  const mail = (await room.deliver()).at(-1);
  return { ...account, ...NEW, oldPassword: account.password, token: tokenIn(mail) };
};

test('the mail holds a link, in the language of the page where it was asked for', async () => {
  const account = await room.activeAccount();
  await forgotPassword(deps, { ...account, language: 'zh_HK' });
  const [mail] = await room.deliver();
  expect(mail).toMatchObject({ to: account.email, subject: '重設你的密碼' });
  expect(mail?.text).toContain('https://posthorn.example/reset-password?token=');
});

test('an email without an account gets the same answer and no mail', async () => {
  await expect(forgotPassword(deps, room.newVisitor())).resolves.toBeUndefined();
  expect(room.jobs).toHaveLength(1);
  expect(await room.deliver()).toEqual([]);
  await expect(forgotPassword(deps, { ...room.newVisitor(), email: 'x' })).rejects.toThrow('E_EMAIL_INVALID');
});

test('the new password works, the old one does not, and the owner is told by mail', async () => {
  const account = await forgetful();
  const { token, accountId } = await resetPassword(deps, account);
  expect(accountId).toBe(account.accountId);
  expect(await findSession(db, token)).toMatchObject({ accountId });
  await expect(logIn(deps, { ...account, password: account.oldPassword })).rejects.toThrow(
    'E_BAD_CREDENTIALS',
  );
  await logIn(deps, account);
  const [mail] = await room.deliver();
  expect(mail).toMatchObject({ to: account.email, subject: 'Your password was changed' });
});

test('changing the password ends every other session', async () => {
  const account = await forgetful();
  const before = await logIn(deps, { ...account, password: account.oldPassword });
  const after = await resetPassword(deps, account);
  expect(await findSession(db, before.token)).toBeUndefined();
  expect(await findSession(db, after.token)).toBeDefined();
});

test('any of several links under way works, and the first that is used ends the others', async () => {
  const account = await forgetful();
  await forgotPassword(deps, account);
  const [second] = await room.deliver();
  await resetPassword(deps, account);
  await expect(resetPassword(deps, { ...account, token: tokenIn(second) })).rejects.toThrow(
    'E_TOKEN_INVALID',
  );
});

test('of several links used at the same moment one succeeds, and nothing locks up', async () => {
  // Without waiting for the hash, the transactions really overlap.
  const hash = await deps.passwords.hash(NEW.password);
  const atOnce = { ...deps, passwords: { ...deps.passwords, hash: async () => hash } };
  for (let round = 0; round < 5; round += 1) {
    const account = await room.activeAccount();
    for (let time = 0; time < 4; time += 1) await forgotPassword(deps, account);
    const tokens = (await room.deliver()).slice(-4).map(tokenIn);
    const results = await Promise.allSettled(
      [...tokens, ...tokens].map((token) => resetPassword(atOnce, { ...account, ...NEW, token })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason.code).toBe('E_TOKEN_INVALID');
  }
});

test('a link ends after an hour', async () => {
  const account = await forgetful();
  const { rows } = await pool.query(
    `select expires_at - now() between '00:59:00' and '01:00:00' as right from mail_tokens order by created_at desc limit 1`,
  );
  expect(rows).toEqual([{ right: true }]);
  await pool.query(`update mail_tokens set expires_at = now() - interval '1 second'`);
  await expect(resetPassword(deps, account)).rejects.toThrow('E_TOKEN_INVALID');
});

test('a password that can’t be accepted leaves the link usable', async () => {
  const account = await forgetful();
  await expect(resetPassword(deps, { ...account, confirmPassword: 'another password' })).rejects.toThrow(
    'E_PASSWORDS_DIFFER',
  );
  await expect(resetPassword(deps, { ...account, confirmPassword: '' })).rejects.toThrow(
    'E_PASSWORDS_DIFFER',
  );
  await expect(
    resetPassword(deps, { ...account, password: 'short', confirmPassword: 'short' }),
  ).rejects.toThrow('E_PASSWORD_TOO_SHORT');
  await resetPassword(deps, account);
});

test('the link proves the mailbox, so it activates an account that was not', async () => {
  const visitor = room.newVisitor();
  await register(deps, { ...visitor, password: 'a forgotten password' });
  await room.deliver();
  await forgotPassword(deps, visitor);
  const [mail] = await room.deliver();
  const { accountId } = await resetPassword(deps, { ...visitor, ...NEW, token: tokenIn(mail) });
  expect(await logIn(deps, { ...visitor, ...NEW })).toMatchObject({ accountId });
});

test('an activation link does not reset', async () => {
  const visitor = room.newVisitor();
  await register(deps, { ...visitor, password: 'some password' });
  const [mail] = await room.deliver();
  await expect(resetPassword(deps, { ...visitor, ...NEW, token: tokenIn(mail) })).rejects.toThrow(
    'E_TOKEN_INVALID',
  );
});
