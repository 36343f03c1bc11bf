import { mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { destination, type Logger, pino } from 'pino';

export type Log = Logger;

const SECRET_KEY =
  /password|token|secret|authorization|cookie|email|phone|^to$|subject|^text$|html|webhook|body/i;
const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** Replaces what looks like an address in a text: word by word, so that none is read more than once. */
export const replaceAddresses = (text: string, replacement: (address: string) => string): string =>
  text.replace(/[^\s<>"'(]+/g, (word) => {
    const at = word.indexOf('@');
    const bracket = word.indexOf(')', at);
    const end = bracket < 0 ? word.length : bracket;
    return at < 1 || end === at + 1 ? word : replacement(word.slice(0, end)) + word.slice(end);
  });

/** An error's text may contain addresses and numbers of people. */
const scrub = (text: string): string =>
  replaceAddresses(text, () => '[email]').replace(/\+?\d[\d -]{6,}\d/g, '[number]');

const redact = (value: unknown, depth = 0): unknown => {
  if (value === null || typeof value !== 'object' || value instanceof Error || depth > 4) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      SECRET_KEY.test(key) ? '[redacted]' : redact(item, depth + 1),
    ]),
  );
};

const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    message: scrub(error.message),
    stack: scrub(error.stack ?? ''),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
};

interface LogOptions {
  level: string;
  /** Where the lines go; without it, to standard output. */
  file?: string;
  write?: (line: string) => void;
}

export const openLog = ({ level, file, write }: LogOptions): Log => {
  if (file) {
    mkdirSync(dirname(file), { recursive: true });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_FILE_BYTES)
      renameSync(file, `${file}.1`);
  }
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
    },
    write ? { write } : destination({ ...(file ? { dest: file } : { dest: 1 }), sync: true, mode: 0o600 }),
  );
};
