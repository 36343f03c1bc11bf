import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

interface HangingServerOptions {
  /** The sockets where it listens, and of the server that it stands before. */
  path: string;
  target: string;
  /** What makes it hang; '': nothing is ever answered. */
  mark: string;
}

/** Stands before a server until it sees the mark in what is asked: from then on it neither answers nor hangs up. */
export const openHangingServer = async ({ path, target, mark }: HangingServerOptions) => {
  const hanging = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const upstream = connect(target);
    const hang = () => hanging.add(socket);
    if (mark === '') hang();
    socket.on('data', (chunk) => {
      if (mark !== '' && chunk.includes(mark)) hang();
      if (!hanging.has(socket)) upstream.write(chunk);
    });
    socket.on('end', () => hanging.has(socket) || upstream.end());
    socket.on('error', () => {});
    socket.on('close', () => {
      hanging.delete(socket);
      upstream.destroy();
    });
    upstream.on('data', (chunk) => hanging.has(socket) || socket.write(chunk));
    upstream.on('error', () => {});
    upstream.on('close', () => hanging.has(socket) || socket.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    /** How many connections hang, and were not closed by who asked. For a poll. */
    hanging: (): number => {
      // Only a write shows whether the other end is closed, or has only said its last word.
      for (const socket of hanging) if (socket.readableEnded) socket.write('\0');
      return hanging.size;
    },
    close: () => {
      for (const socket of hanging) socket.destroy();
      server.close();
    },
  };
};
