import { afterAll, expect, test } from 'vitest';
import { openTestAccounts, tokenIn } from '../../../../test/accounts.ts';
import { readWallet } from '../../wallet/index.ts';
import { logIn } from '../sessions/log-in.ts';
import { resetPassword } from '../sessions/reset-password.ts';
import { findByEmail } from '../store.ts';
import { activate } from './activate.ts';
import { register } from './register.ts';

const room = await openTestAccounts();
afterAll(room.close);
const { deps, db } = room;

const PASSWORD = 'first password';

test('a new account gets a mail with a link that activates it, and a wallet', async () => {
  const visitor = room.newVisitor();
  await register(deps, { ...visitor, password: PASSWORD });
  const [mail, ...others] = await room.deliver();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: visitor.email, subject: 'Activate your account', language: 'en_US' });
  expect(mail?.text).toContain('https://posthorn.example/activate?token=');
  const { accountId } = await activate(deps, { token: tokenIn(mail), address: visitor.address });
  expect(await readWallet(db, accountId)).toMatchObject({ balanceMicros: 0n, currency: 'HKD' });
  expect(await logIn(deps, { ...visitor, password: PASSWORD })).toMatchObject({ accountId });
});

test('the mail comes in the language of the page where it was asked for', async () => {
  await register(deps, { ...room.newVisitor(), password: PASSWORD, language: 'zh_HK' });
  const [mail] = await room.deliver();
  expect(mail).toMatchObject({ subject: '啟用你的帳戶', language: 'zh_HK' });
  expect(mail?.html).toContain('lang="zh-HK"');
});

test('what waits in the queue holds neither a token nor the password', async () => {
  await register(deps, { ...room.newVisitor(), password: PASSWORD });
  const waiting = JSON.stringify(room.jobs);
  const [mail] = await room.deliver();
  expect(waiting).not.toContain(tokenIn(mail));
  expect(waiting).not.toContain(PASSWORD);
});

test('registering an active account tells its owner by mail and leaves the password as it is', async () => {
  const owner = await room.activeAccount();
  await register(deps, { ...owner, password: 'a stranger’s password' });
  const [mail] = await room.deliver();
  expect(mail).toMatchObject({ to: owner.email, subject: 'You have an account already' });
  expect(mail?.text).toContain('https://posthorn.example/login');
  expect(mail?.text).toContain('https://posthorn.example/forgot-password');
  expect(mail?.text).not.toContain('token=');
  await expect(logIn(deps, { ...owner, password: 'a stranger’s password' })).rejects.toThrow(
    'E_BAD_CREDENTIALS',
  );
  expect(await logIn(deps, owner)).toMatchObject({ accountId: owner.accountId });
});

test('the same password again is the same person: both activation links work', async () => {
  const visitor = room.newVisitor();
  await register(deps, { ...visitor, password: PASSWORD });
  const [first] = await room.deliver();
  await register(deps, { ...visitor, password: PASSWORD });
  const [second] = await room.deliver();
  expect(second?.subject).toBe('Activate your account');
  expect(tokenIn(second)).not.toBe(tokenIn(first));
  await activate(deps, { token: tokenIn(first), address: visitor.address });
});

test('two who register one email with different passwords: only the mailbox decides, neither password counts', async () => {
  const visitor = room.newVisitor();
  await register(deps, { ...visitor, password: 'the stranger’s' });
  const [strangers] = await room.deliver();
  await register(deps, { ...visitor, password: 'the owner’s' });
  const [owners] = await room.deliver();
  expect(owners?.subject).toBe('Choose your password to activate your account');
  expect(owners?.text).toContain('https://posthorn.example/reset-password?token=');

  const { address } = visitor;
  await expect(activate(deps, { token: tokenIn(strangers), address })).rejects.toThrow('E_TOKEN_INVALID');
  for (const password of ['the stranger’s', 'the owner’s'])
    await expect(logIn(deps, { ...visitor, password })).rejects.toThrow('E_BAD_CREDENTIALS');

  const chosen = { password: 'chosen by the owner', confirmPassword: 'chosen by the owner' };
  const { accountId } = await resetPassword(deps, { ...visitor, ...chosen, token: tokenIn(owners) });
  expect(await logIn(deps, { ...visitor, password: chosen.password })).toMatchObject({ accountId });
  expect(await room.deliver()).toEqual([]);
});

test('an activation mail that is still waiting when the email is claimed twice no longer activates', async () => {
  const visitor = room.newVisitor();
  await register(deps, { ...visitor, password: 'the stranger’s' });
  await register(deps, { ...visitor, password: 'the owner’s' });
  const mails = await room.deliver();
  expect(mails).toHaveLength(2);
  for (const mail of mails) expect(mail.text).toContain('/reset-password?token=');
});

test.each([
  ['different passwords', ['password one', 'password two'], null],
  ['the same password', ['one password', 'one password'], expect.stringContaining('$argon2id$')],
])('two registrations at the same moment with %s make one account', async (_, passwords, passwordHash) => {
  const visitor = room.newVisitor();
  await Promise.all(passwords.map((password) => register(deps, { ...visitor, password })));
  expect(await findByEmail(db, visitor.email)).toMatchObject({ activatedAt: null, passwordHash });
  expect(await room.deliver()).toHaveLength(2);
});

test('a fault of what was typed is told before anything is counted or made', async () => {
  const visitor = room.newVisitor();
  await expect(register(deps, { ...visitor, password: 'short' })).rejects.toThrow('E_PASSWORD_TOO_SHORT');
  await expect(register(deps, { ...visitor, password: '' })).rejects.toThrow('E_PASSWORD_EMPTY');
  await expect(register(deps, { ...visitor, email: 'nobody', password: PASSWORD })).rejects.toThrow(
    'E_EMAIL_INVALID',
  );
  expect(room.jobs).toEqual([]);
});

test('one email can be sent five mails an hour, whether or not it has an account', async () => {
  const owner = await room.activeAccount();
  for (const email of [owner.email, room.newVisitor().email]) {
    const visitor = { ...room.newVisitor(), email, password: PASSWORD };
    await Promise.all(Array.from({ length: 5 }, () => register(deps, visitor)));
    await expect(register(deps, visitor)).rejects.toMatchObject({
      code: 'E_TOO_MANY_REQUESTS',
      params: { minutes: 60 },
    });
    expect(await room.deliver()).toHaveLength(5);
  }
});
