import { type AnyOptions, ask } from './call.ts';

/** A long ledger takes its time. */
const TIMEOUT_MS = 5 * 60_000;

/** Gives a file to the reader to keep. */
export const keepFile = (content: Blob, name: string): void => {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read the address by the time that the click is over; some only begin to then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** Fetches a file that needs the session, which a plain link could not carry, and gives it to the reader to keep. */
export const download = async (path: string, options: AnyOptions, name: string): Promise<void> => {
  const { content } = await ask('GET', path, { timeoutMs: TIMEOUT_MS, ...options });
  keepFile(content, name);
};
