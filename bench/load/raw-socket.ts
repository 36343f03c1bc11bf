import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** The status of the answer; `cut` if the connection ended without one, `open` if neither came in time. */
  status: string;
  seconds: number;
}

/** Sends these bytes as they are, without any client's help, and waits for an answer, the end, or so long. */
export const sendRaw = async (
  port: number,
  pieces: (string | Buffer)[],
  waitMs: number,
): Promise<RawAnswer> => {
  const begun = performance.now();
  const socket = connect(port, '127.0.0.1');
  const done = new Promise<string>((resolve) => {
    let received = '';
    const timer = setTimeout(() => resolve('open'), waitMs);
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      if (status) resolve(status);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve('cut');
    });
  });
  for (const piece of pieces) socket.write(piece);
  const status = await done;
  socket.destroy();
  return { status, seconds: (performance.now() - begun) / 1_000 };
};

/** Connections that say this much and then nothing more. */
export const openSilent = (
  port: number,
  count: number,
  start: (at: number) => string,
): { close: () => void } => {
  const sockets: Socket[] = Array.from({ length: count }, (_, at) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(start(at)));
    return socket.on('error', () => {});
  });
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
