import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A worker's connection to the counter of a proof, for one lane. */
export const openCounterLink = (lane: string, port: number) => {
  const waiting = new Map<string, (counted: boolean) => void>();
  let socket: Socket | undefined;
  const settle = (id: string, counted: boolean): void => {
    waiting.get(id)?.(counted);
    waiting.delete(id);
  };
  return {
    /** `onClose`: it broke, or was closed. */
    open: (onClose: () => void): Promise<void> =>
      new Promise((resolve, reject) => {
        socket = connect(port, '127.0.0.1', () => {
          socket?.write(`lane ${lane}\n`);
          resolve();
        });
        socket.once('error', reject);
        socket.once('close', () => {
          for (const id of [...waiting.keys()]) settle(id, false);
          onClose();
        });
        createInterface({ input: socket })
          .on('line', (id) => settle(id, true))
          .on('error', () => {});
      }),
    isOpen: (): boolean => socket?.writable === true,
    /** False: nobody can tell whether it was counted. */
    count: (id: string): Promise<boolean> =>
      new Promise((resolve) => {
        waiting.set(id, resolve);
        socket?.write(`${id}\n`);
      }),
    close: (): void => void socket?.destroy(),
  };
};
