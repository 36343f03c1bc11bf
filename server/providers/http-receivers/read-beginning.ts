import type { IncomingMessage } from 'node:http';

/** No more of an answer is read, and no longer: its status says everything. */
const MOST_BYTES = 4_096;
const MOST_MS = 1_000;
/** How much is kept to be shown. */
const KEPT_CHARACTERS = 1_000;

/** The beginning of an answer as text. A longer one is cut off, and its connection with it. */
export const readBeginning = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      clearTimeout(timer);
      if (!response.complete) response.destroy();
      const text = Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8');
      resolve(text.replaceAll('\0', '').slice(0, KEPT_CHARACTERS));
    };
    const timer = setTimeout(finish, MOST_MS);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) finish();
    });
    response.on('end', finish);
    response.on('error', finish);
    response.on('close', finish);
  });
