import type { Socket } from 'node:net';

const DIGITS_AT = 'HTTP/1.1 '.length;
const CONTINUE = /^HTTP\/1\.[01] 100\b/;

const withoutContinue = (chunk: Buffer): Buffer => {
  let rest = chunk;
  // Two bytes rule out nearly every chunk.
  while (
    rest[0] === 0x48 &&
    rest[DIGITS_AT] === 0x31 &&
    CONTINUE.test(rest.toString('latin1', 0, DIGITS_AT + 4))
  ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
};

/**
 * Some servers send '100 Continue' unasked, which a client must ignore (RFC 9110, 15.2). undici closes the connection
 * instead, and the call would be lost. So we remove it before undici reads.
 */
export const skipContinue = (socket: Socket): void => {
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    const chunk: Buffer | null = read(size);
    return chunk && withoutContinue(chunk);
  };
};
