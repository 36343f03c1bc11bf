import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { SenderId } from '../../../contract/customer/senders.ts';

const DIGITS = 8;

/** Eight digits: few enough to type, and with five tries a code far too many to guess. */
export const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/** So few digits could be tried out by whoever has a copy of the database: without the key they can't. */
export const hashCode = (key: Buffer, { senderId, code }: { senderId: SenderId; code: string }): Buffer =>
  createHmac('sha256', key)
    .update(`sender code ${senderId} ${code.replace(/\D/g, '')}`)
    .digest();

export const isSameCode = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

/** The record differs by account, so that several may prove one domain, and none by another's record. */
export const verificationRecord = (
  key: Buffer,
  { accountId, domain }: { accountId: AccountId; domain: string },
) => ({
  name: `_posthorn.${domain}`,
  value: `posthorn=${createHmac('sha256', key).update(`sender domain ${accountId} ${domain}`).digest('base64url')}`,
});
