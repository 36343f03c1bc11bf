import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes can't be guessed, so a plain SHA-256 is enough to store them. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Anything else is refused without asking the database. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);
