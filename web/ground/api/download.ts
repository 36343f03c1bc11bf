import { type AnyOptions, sendRequest } from './call.ts';

/** A long ledger may take this long. */
const TIMEOUT_MS = 5 * 60_000;

/** Saves a file in the reader's downloads. */
export const keepFile = (content: Blob, name: string): void => {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers only begin to read the address after the click, so it is revoked later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** Downloads a file that needs the session, which a link could not carry. */
export const download = async (path: string, options: AnyOptions, name: string): Promise<void> => {
  const { content } = await sendRequest('GET', path, { timeoutMs: TIMEOUT_MS, ...options });
  keepFile(content, name);
};
