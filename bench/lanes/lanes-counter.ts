import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const ANSWER_MS = 5;

/** Stands for all carriers: counts each message, and how often a lane had two connections at the same time. */
export const openCounter = async () => {
  const counts = new Map<string, number>();
  const lanes = new Map<string, Set<Socket>>();
  const forbidden = new Set<string>();
  let overlaps = 0;
  let trespasses = 0;
  const server = createServer((socket) => {
    let lane: Set<Socket> | undefined;
    let name = '';
    socket.on('error', () => {});
    socket.on('close', () => lane?.delete(socket));
    createInterface({ input: socket })
      .on('error', () => {})
      .on('line', async (line) => {
        if (line.startsWith('lane ')) {
          name = line.slice('lane '.length);
          lane = lanes.get(name) ?? new Set();
          lanes.set(name, lane);
          lane.add(socket);
          if (lane.size > 1) overlaps += 1;
          return;
        }
        if (forbidden.has(name)) trespasses += 1;
        counts.set(line, (counts.get(line) ?? 0) + 1);
        await sleep(ANSWER_MS);
        if (!socket.destroyed) socket.write(`${line}\n`);
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    overlaps: () => overlaps,
    /** Lanes that must send nothing, and how many messages came by one of them nevertheless. */
    forbidden,
    trespasses: () => trespasses,
    close: async (): Promise<void> => {
      for (const sockets of lanes.values()) for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
