import { afterAll, expect, test } from 'vitest';
import { openTestAccounts, tokenIn } from '../../../../test/accounts.ts';
import { forgotPassword } from '../sessions/forgot-password.ts';
import { findSession } from '../sessions/session.ts';
import { activate } from './activate.ts';
import { register } from './register.ts';

const room = await openTestAccounts();
afterAll(room.close);
const { deps, db, pool } = room;

const registered = async () => {
  const visitor = room.newVisitor();
  await register(deps, { ...visitor, password: 'some password' });
  const [mail] = await room.deliver();
  return { ...visitor, token: tokenIn(mail) };
};

test('the link signs in', async () => {
  const visitor = await registered();
  const { token, accountId } = await activate(deps, visitor);
  expect(await findSession(db, token)).toMatchObject({ accountId, admin: false });
});

test('the link serves once', async () => {
  const visitor = await registered();
  await activate(deps, visitor);
  await expect(activate(deps, visitor)).rejects.toThrow('E_TOKEN_INVALID');
});

test('of ten requests at once with one link, one succeeds', async () => {
  const visitor = await registered();
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => activate(deps, visitor)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the link ends after three days', async () => {
  const visitor = await registered();
  const { rows } = await pool.query(
    `select expires_at - now() between '71:59:00' and '72:00:00' as right from mail_tokens order by created_at desc limit 1`,
  );
  expect(rows).toEqual([{ right: true }]);
  await pool.query(`update mail_tokens set expires_at = now() - interval '1 second'`);
  await expect(activate(deps, visitor)).rejects.toThrow('E_TOKEN_INVALID');
});

test('a reset link does not activate, nor does anything else', async () => {
  const { email, ...visitor } = await registered();
  await forgotPassword(deps, { ...visitor, email });
  const [mail] = await room.deliver();
  for (const token of [tokenIn(mail), '', 'x', visitor.token.toLowerCase(), `${visitor.token}\u0000`])
    await expect(activate(deps, { token, address: visitor.address })).rejects.toThrow('E_TOKEN_INVALID');
});

test('the database never holds the token itself', async () => {
  const { token } = await registered();
  const { rows } = await pool.query('select mail_tokens::text as row, token_hash from mail_tokens');
  const raw = Buffer.from(token, 'base64url');
  for (const { row, token_hash } of rows) {
    expect(row).not.toContain(token);
    expect(token_hash.equals(raw)).toBe(false);
  }
});

test('guessing is slowed per address, and a success costs nothing', async () => {
  const visitor = await registered();
  const token = 'x'.repeat(43);
  for (let guess = 0; guess < 29; guess += 1)
    await expect(activate(deps, { token, address: visitor.address })).rejects.toThrow('E_TOKEN_INVALID');
  await activate(deps, visitor);
  await expect(activate(deps, { token, address: visitor.address })).rejects.toThrow('E_TOKEN_INVALID');
  await expect(activate(deps, visitor)).rejects.toThrow('E_TOO_MANY_REQUESTS');
});
