import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { newSecret, openSealedSecret, sealSecret } from './seal-secret.ts';

const key = randomBytes(32);
const accountId = randomUUID() as string as AccountId;
const secret = newSecret();

test('a sealed secret opens with its key for its account', () => {
  expect(openSealedSecret({ key, accountId, sealed: sealSecret({ key, accountId, secret }) })).toBe(secret);
});

test('a secret sealed twice looks different each time', () => {
  expect(sealSecret({ key, accountId, secret })).not.toEqual(sealSecret({ key, accountId, secret }));
});

test('a sealed secret does not open with another key or for another account', () => {
  const sealed = sealSecret({ key, accountId, secret });
  expect(() => openSealedSecret({ key: randomBytes(32), accountId, sealed })).toThrow();
  const another = randomUUID() as string as AccountId;
  expect(() => openSealedSecret({ key, accountId: another, sealed })).toThrow();
});

test('a sealed secret with any byte changed does not open', () => {
  const sealed = sealSecret({ key, accountId, secret });
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => openSealedSecret({ key, accountId, sealed: changed })).toThrow();
  }
});
