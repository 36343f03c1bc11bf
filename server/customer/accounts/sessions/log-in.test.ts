import { afterAll, expect, test } from 'vitest';
import { openTestAccounts, tokenIn } from '../../../../test/accounts.ts';
import { activate } from '../opening/activate.ts';
import { register } from '../opening/register.ts';
import { findContact } from '../store.ts';
import { forgotPassword } from './forgot-password.ts';
import { logIn, waitMs } from './log-in.ts';
import { logOut } from './log-out.ts';
import { resetPassword } from './reset-password.ts';
import { findSession } from './session.ts';

const room = await openTestAccounts();
afterAll(room.close);
const { deps, db } = room;

test('the right password signs in, however the email is spelled', async () => {
  const account = await room.activeAccount();
  const { token } = await logIn(deps, { ...account, email: ` ${account.email.toUpperCase()} ` });
  expect(await findSession(db, token)).toMatchObject({ accountId: account.accountId });
});

test('mails follow the language of the last sign-in', async () => {
  const account = await room.activeAccount();
  await logIn(deps, { ...account, language: 'zh_HK' });
  expect(await findContact(db, account.accountId)).toMatchObject({ language: 'zh_HK' });
});

test('a wrong password and an unknown email get the same answer', async () => {
  const account = await room.activeAccount();
  const wrong = logIn(deps, { ...account, password: 'wrong password' });
  await expect(wrong).rejects.toMatchObject({ code: 'E_BAD_CREDENTIALS', params: {} });
  const unknown = logIn(deps, { ...room.newVisitor(), password: 'wrong password' });
  await expect(unknown).rejects.toMatchObject({ code: 'E_BAD_CREDENTIALS', params: {} });
});

test('an empty password and an email that is none are refused with their own codes', async () => {
  const visitor = room.newVisitor();
  await expect(logIn(deps, { ...visitor, password: '' })).rejects.toThrow('E_PASSWORD_EMPTY');
  await expect(logIn(deps, { ...visitor, email: 'x', password: 'y' })).rejects.toThrow('E_EMAIL_INVALID');
});

test('an account that is not activated is told so with the right password only, and gets its mail again', async () => {
  const visitor = { ...room.newVisitor(), password: 'some password' };
  await register(deps, visitor);
  await room.deliver();
  await expect(logIn(deps, { ...visitor, password: 'wrong password' })).rejects.toThrow('E_BAD_CREDENTIALS');
  expect(await room.deliver()).toEqual([]);
  await expect(logIn(deps, visitor)).rejects.toThrow('E_NOT_ACTIVATED');
  const [mail] = await room.deliver();
  const { accountId } = await activate(deps, { token: tokenIn(mail), address: visitor.address });
  expect(await logIn(deps, visitor)).toMatchObject({ accountId });
});

test('signing in again and again sends no more activation mails than the limit', async () => {
  const visitor = { ...room.newVisitor(), password: 'some password' };
  await register(deps, visitor);
  for (let time = 0; time < 8; time += 1)
    await expect(logIn(deps, visitor)).rejects.toThrow('E_NOT_ACTIVATED');
  expect(await room.deliver()).toHaveLength(5);
});

test('guesses of strangers don’t lock the owner out: they slow an email down, and each is logged', async () => {
  const account = await room.activeAccount();
  const guess = () => logIn(deps, { ...account, address: room.newVisitor().address, password: 'wrong' });
  for (let time = 0; time < 11; time += 1) await expect(guess()).rejects.toThrow('E_BAD_CREDENTIALS');
  expect(await logIn(deps, account)).toMatchObject({ accountId: account.accountId });
  const logged = room.warnings.filter((facts) => 'account' in facts && facts.account === account.accountId);
  expect(logged).toHaveLength(11);
  expect(logged.at(-1)).toEqual({
    account: account.accountId,
    address: expect.any(String),
    attempts: 11,
  });
  expect([1, 10, 11, 12, 13, 99].map(waitMs)).toEqual([0, 0, 250, 500, 1_000, 3_000]);
});

test('ten wrong passwords for one email close it to their address; a success before that forgives', async () => {
  const account = await room.activeAccount();
  const guess = () => logIn(deps, { ...account, password: 'wrong' });
  for (let time = 0; time < 9; time += 1) await expect(guess()).rejects.toThrow('E_BAD_CREDENTIALS');
  await logIn(deps, account);
  for (let time = 0; time < 10; time += 1) await expect(guess()).rejects.toThrow('E_BAD_CREDENTIALS');
  await expect(logIn(deps, account)).rejects.toMatchObject({
    code: 'E_TOO_MANY_REQUESTS',
    params: { minutes: 15 },
  });
  expect(await logIn(deps, { ...account, address: 'elsewhere' })).toBeDefined();
});

test('an unknown email is treated just as a known one', async () => {
  const visitor = { ...room.newVisitor(), password: 'wrong password' };
  for (let time = 0; time < 10; time += 1)
    await expect(logIn(deps, visitor)).rejects.toThrow('E_BAD_CREDENTIALS');
  await expect(logIn(deps, visitor)).rejects.toThrow('E_TOO_MANY_REQUESTS');
});

test('guesses made all at once don’t slip through the limit', async () => {
  const account = await room.activeAccount();
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, () => logIn(deps, { ...account, password: 'wrong password' })),
  );
  const codes = results.map((result) => result.status === 'rejected' && result.reason.code);
  expect(codes.filter((code) => code === 'E_BAD_CREDENTIALS')).toHaveLength(10);
  expect(codes.filter((code) => code === 'E_TOO_MANY_REQUESTS')).toHaveLength(30);
});

test('fifty failures close an address, and a good account does not buy it more guesses', async () => {
  const { address, ...account } = await room.activeAccount();
  const guess = () => logIn(deps, { ...room.newVisitor(), address, password: 'wrong password' });
  for (let time = 0; time < 25; time += 1) await expect(guess()).rejects.toThrow('E_BAD_CREDENTIALS');
  await logIn(deps, { ...account, address });
  for (let time = 0; time < 25; time += 1) await expect(guess()).rejects.toThrow('E_BAD_CREDENTIALS');
  await expect(guess()).rejects.toThrow('E_TOO_MANY_REQUESTS');
  await expect(logIn(deps, { ...account, address })).rejects.toThrow('E_TOO_MANY_REQUESTS');
  expect(await logIn(deps, { ...account, address: 'elsewhere' })).toBeDefined();
});

test('registrations of an email don’t use up its mails to reset the password, nor do strangers', async () => {
  const account = await room.activeAccount();
  const stranger = { ...account, address: room.newVisitor().address };
  for (let time = 0; time < 5; time += 1) await register(deps, { ...stranger, password: 'some password' });
  for (let time = 0; time < 5; time += 1) await forgotPassword(deps, stranger);
  await expect(forgotPassword(deps, stranger)).rejects.toThrow('E_TOO_MANY_REQUESTS');
  await forgotPassword(deps, account);
  const mail = (await room.deliver()).at(-1);
  const password = 'a new password';
  await resetPassword(deps, { ...account, token: tokenIn(mail), password, confirmPassword: password });
  await logIn(deps, { ...account, password });
});

test('a session begun with the old password does not survive a reset at the same moment', async () => {
  const account = await room.activeAccount();
  await forgotPassword(deps, account);
  const mail = (await room.deliver()).at(-1);
  const password = 'a new password';
  const [reset, ...logIns] = await Promise.allSettled([
    resetPassword(deps, { ...account, token: tokenIn(mail), password, confirmPassword: password }),
    ...Array.from({ length: 8 }, () => logIn(deps, account)),
  ]);
  expect(reset.status).toBe('fulfilled');
  for (const result of logIns)
    if (result.status === 'fulfilled') expect(await findSession(db, result.value.token)).toBeUndefined();
    else expect(result.reason.code).toBe('E_BAD_CREDENTIALS');
});

test('signing out ends this session and no other', async () => {
  const account = await room.activeAccount();
  const [here, there] = [await logIn(deps, account), await logIn(deps, account)];
  const caller = await findSession(db, here.token);
  await logOut(db, caller?.sessionHash ?? Buffer.of());
  expect(await findSession(db, here.token)).toBeUndefined();
  expect(await findSession(db, there.token)).toBeDefined();
});
