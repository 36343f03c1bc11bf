import { closeSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ReadStream } from 'node:tty';

/** The far end of a pseudo-terminal: what a modem is to the programs that open its path. */
export interface Pty {
  path: string;
  onData: (listener: (text: string) => void) => void;
  write: (text: string) => void;
  close: () => void;
}

/** The native part of node-pty, which makes a pair and starts no program. */
interface Native {
  open: (columns: number, rows: number) => { master: number; slave: number; pty: string };
}
const loadNative = (): Native =>
  createRequire(import.meta.url)(`@lydell/node-pty-${process.platform}-${process.arch}/pty.node`) as Native;

const RETRY_MS = 2;
/** Nobody reads: a modem without flow control loses what it says. */
const GIVE_UP_MS = 2_000;

export const openPty = (): Pty => {
  const { master: file, slave, pty: path } = loadNative().open(80, 24);
  const master = new ReadStream(file);
  master.setEncoding('latin1');
  master.on('error', () => {});
  // Held open, so that the line does not end when a program does, and raw, so that nothing is echoed to us.
  const held = new ReadStream(slave);
  held.setRawMode(true);
  held.on('error', () => {});

  let waiting = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  let stuckSince: number | undefined;
  const flush = (): void => {
    timer = undefined;
    try {
      while (waiting.length > 0) {
        waiting = waiting.subarray(writeSync(file, waiting));
        stuckSince = undefined;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      stuckSince ??= performance.now();
      if (performance.now() - stuckSince > GIVE_UP_MS) {
        waiting = Buffer.alloc(0);
        stuckSince = undefined;
      } else timer = setTimeout(flush, RETRY_MS);
    }
  };
  return {
    path,
    onData: (listener) => void master.on('data', listener),
    write: (text) => {
      waiting = Buffer.concat([waiting, Buffer.from(text, 'latin1')]);
      if (!timer) flush();
    },
    close: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = Buffer.alloc(0);
      master.destroy();
      held.destroy();
      try {
        closeSync(slave);
      } catch {
        // The stream took this very descriptor, and has closed it.
      }
    },
  };
};
