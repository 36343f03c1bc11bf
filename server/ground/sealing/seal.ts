import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/** The first byte names the format, so that it can change later. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface Seal {
  /** 32 bytes. */
  key: Buffer;
  /** Authenticated with the ciphertext, so that it can't be decrypted in the row of another owner. */
  owner: string;
}

/** Encrypts a text for storing. */
export const seal = ({ key, owner, text }: Seal & { text: string }): Buffer => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed]);
};

export const openSealed = ({ key, owner, sealed }: Seal & { sealed: Buffer }): string => {
  if (sealed[0] !== VERSION) throw new Error('a sealed text has an unknown form');
  const tagAt = 1 + IV_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, tagAt), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
  const text = Buffer.concat([decipher.update(sealed.subarray(tagAt + TAG_BYTES)), decipher.final()]);
  return text.toString('utf8');
};
