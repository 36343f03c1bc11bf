import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import type { AccountId } from '../../contract/accounts.ts';

const CIPHER = 'aes-256-gcm';
/** The first byte names the format, so that it can change later. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

const PREFIX = 'ph_';

/** The prefix lets source code scanners recognise a leaked secret. */
export const newSecret = (): string => `${PREFIX}${randomBytes(24).toString('base64url')}`;

/** A secret that sends through the simulator and costs nothing; its prefix says so. */
export const newTestSecret = (): string => `${PREFIX}test_${randomBytes(24).toString('base64url')}`;

/** Whether the text may be a secret rather than a session token. */
export const isSecret = (text: string): boolean => text.startsWith(PREFIX);

export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');
/** The same in base64, which is cheaper if it is only looked up. */
export const hashSecretAsText = (secret: string): string => hash('sha256', secret, 'base64');

interface Seal {
  /** 32 bytes. */
  key: Buffer;
  /** Authenticated with the ciphertext, so that a secret copied to another account's row can't be decrypted. */
  accountId: AccountId;
}

export const sealSecret = ({ key, accountId, secret }: Seal & { secret: string }): Buffer => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(accountId));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed]);
};

export const openSealedSecret = ({ key, accountId, sealed }: Seal & { sealed: Buffer }): string => {
  if (sealed[0] !== VERSION) throw new Error('a sealed secret has an unknown form');
  const tagAt = 1 + IV_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, tagAt), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(accountId));
  decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(tagAt + TAG_BYTES)), decipher.final()]).toString(
    'utf8',
  );
};
