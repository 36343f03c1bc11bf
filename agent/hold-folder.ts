import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Of a socket's path, in bytes; the systems allow 103 to 107. */
const LONGEST_PATH = 100;

const listen = (path: string): Promise<Server | undefined> =>
  new Promise((done, fail) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(undefined) : fail(error),
    );
    server.listen(path, () => done(server));
  });

const answers = (path: string): Promise<boolean> =>
  new Promise((done) => {
    const connection = connect(path, () => {
      connection.destroy();
      done(true);
    });
    connection.once('error', () => done(false));
  });

/**
 * One agent a folder: two would send twice. The kernel closes the socket with its process, however that ends, so a
 * socket that nobody answers on is a dead process's. Returns how to let go, or undefined if another agent has it.
 */
export const holdFolder = async (folder: string): Promise<(() => void) | undefined> => {
  const wanted = join(resolve(folder), 'agent.sock');
  const path =
    Buffer.byteLength(wanted) <= LONGEST_PATH
      ? wanted
      : join(tmpdir(), `agent-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}.sock`);
  let server = await listen(path);
  if (!server && !(await answers(path))) {
    rmSync(path, { force: true });
    server = await listen(path);
  }
  if (!server) return undefined;
  server.unref();
  const held = server;
  return () => void held.close();
};
