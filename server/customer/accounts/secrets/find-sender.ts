import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { SendingAccount } from '../../../ground/route/index.ts';
import { findBySecretHash } from '../store.ts';
import { findByOldSecretHash } from './old-secret-store.ts';
import { hashSecretAsText, isSecret } from './seal-secret.ts';

type FindSender = (secret: string) => Promise<SendingAccount | undefined>;

/**
 * A client that sends thousands of messages a second is not looked up each time, so an ended secret works for this much
 * longer.
 */
const KEPT_MS = 5_000;
const KEPT_AT_MOST = 10_000;

interface SendersOptions {
  /** Calls back whenever an account may have been closed, in any process, so that it is looked up again. */
  watch?: (changed: (accountId: AccountId) => void) => void;
}

/**
 * Finds whose secret it is; the secret of a closed account is refused with its own error. Only hits are cached: a wrong
 * secret is looked up each time.
 */
export const openSenderSearch = (db: Db, { watch }: SendersOptions = {}): FindSender => {
  const kept = new Map<string, { sender: SendingAccount; until: number }>();
  let changes = 0;
  watch?.((accountId) => {
    changes += 1;
    for (const [key, { sender }] of kept) if (sender.accountId === accountId) kept.delete(key);
  });
  return async (secret) => {
    if (!isSecret(secret)) return undefined;
    const key = hashSecretAsText(secret);
    const known = kept.get(key);
    if (known && performance.now() < known.until) return known.sender;
    kept.delete(key);
    const before = changes;
    const hash = Buffer.from(key, 'base64');
    const found = (await findBySecretHash(db, hash)) ?? (await findByOldSecretHash(db, hash));
    if (!found) return undefined;
    const { closed, ...sender } = found;
    if (closed) throw new DomainError('E_ACCOUNT_CLOSED');
    // A value that was read while an account changed may be outdated.
    if (before !== changes) return sender;
    if (kept.size >= KEPT_AT_MOST) kept.clear();
    kept.set(key, { sender, until: performance.now() + KEPT_MS });
    return sender;
  };
};
