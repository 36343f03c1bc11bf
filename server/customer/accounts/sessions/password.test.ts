import { parseOptions } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { acceptPassword, HASH_OPTIONS, NOBODYS_HASH, openPasswords } from './password.ts';

test.each([
  ['', 'E_PASSWORD_EMPTY'],
  ['1234567', 'E_PASSWORD_TOO_SHORT'],
  ['🔑🔑🔑🔑', 'E_PASSWORD_TOO_SHORT'],
  ['x'.repeat(201), 'E_PASSWORD_TOO_LONG'],
])('%j is refused with %s', (typed, code) => {
  expect(() => acceptPassword(typed)).toThrow(code);
});

test('a password of 8 to 200 characters is accepted, spaces and all', () => {
  expect(acceptPassword(' 密碼 密碼 密 ')).toBe(' 密碼 密碼 密 ');
  expect(acceptPassword('x'.repeat(200))).toHaveLength(200);
});

test('a password typed in another Unicode form is the same password', () => {
  expect(acceptPassword('café ｆｕｌｌ')).toBe(acceptPassword('cafe\u0301 full'));
});

test('only the right password verifies, and none does where there is no hash', async () => {
  const { hash, verify } = openPasswords();
  const kept = await hash('correct horse');
  expect(await verify({ password: 'correct horse', hash: kept, from: '' })).toBe(true);
  expect(await verify({ password: 'correct horsf', hash: kept, from: '' })).toBe(false);
  expect(await verify({ password: 'correct horse', hash: null, from: '' })).toBe(false);
});

test('verifying without a hash costs what verifying with one does', () => {
  expect(parseOptions(NOBODYS_HASH)).toMatchObject(HASH_OPTIONS);
});

test('a flood waits its turn, and what exceeds the queue is refused', async () => {
  const { hash } = openPasswords({ concurrent: 1, waiting: 3 });
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => hash('some password', `192.0.2.${at}`)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  await expect(hash('some password')).resolves.toBeTypeOf('string');
});

test('many guesses from one address make another wait for one of them at most', async () => {
  const { verify } = openPasswords();
  const claim = { password: 'some password', hash: null };
  let done = 0;
  const flood = Array.from({ length: 120 }, () =>
    verify({ ...claim, from: '192.0.2.1' }).then(
      () => {
        done += 1;
      },
      () => {},
    ),
  );
  await verify({ ...claim, from: '192.0.2.2' });
  expect(done).toBeLessThanOrEqual(3);
  await Promise.all(flood);
  // One runs and twenty wait; the others were refused.
  expect(done).toBe(21);
});
