import { stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Of a socket's path, in bytes; the systems allow 103 to 107. */
const LONGEST_PATH = 100;

/** A socket that its process listens on for as long as it lives. */
export interface AliveSocket {
  path: string;
  /** A copy of the folder has another inode, so its socket proves nothing. */
  inode: number;
}

/** The kernel closes it with the process, however that ends; nothing has to be flushed or released. */
export const listenAlive = async (wanted: string): Promise<AliveSocket & { close: () => Promise<void> }> => {
  const path = Buffer.byteLength(wanted) <= LONGEST_PATH ? wanted : join(tmpdir(), basename(wanted));
  const server = createServer((connection) => connection.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', () => {});
  server.unref();
  const { ino: inode } = await stat(path);
  return { path, inode, close: () => new Promise((resolve) => server.close(() => resolve())) };
};

/**
 * Whether the process behind a socket is certainly gone. Only a refused connection proves that: the socket is there,
 * and on this machine nobody listens on it. A socket that is missing or out of reach proves nothing.
 */
export const isGone = async ({ path, inode }: AliveSocket): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined);
  if (found?.ino !== inode) return false;
  return new Promise((resolve) => {
    const connection = connect(path, () => {
      connection.destroy();
      resolve(false);
    });
    connection.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'));
  });
};
