import { createSocket } from 'node:dgram';

const A = 1;
const TXT = 16;
const FAILURE = 2;
const NAME_ERROR = 3;

const readName = (query: Buffer): { name: string; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
};

/** One answer that points back to the question's name and must not be cached. */
const record = (type: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);

const addressRecord = (address: string): Buffer => record(A, Buffer.from(address.split('.').map(Number)));

const textRecord = (text: string): Buffer =>
  record(TXT, Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]));

interface Zone {
  addressesOf?: (name: string) => string[];
  /** Undefined: the server says that it can't answer. */
  textsOf?: (name: string) => string[] | undefined;
}

/**
 * A name server on a socket that answers for IPv4 addresses and texts what the test says, and nothing for others; each
 * answer may differ from the one before, as in an attack by DNS rebinding.
 */
export const startDnsServer = async ({ addressesOf = () => [], textsOf = () => [] }: Zone) => {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end - 4);
    if (type === A || type === TXT) asked.push(name);
    const addresses = addressesOf(name);
    const texts = textsOf(name);
    const answers =
      type === A ? addresses.map(addressRecord) : type === TXT ? (texts ?? []).map(textRecord) : [];
    const isKnown = addresses.length + (texts?.length ?? 0) > 0;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (texts ? (isKnown ? 0 : NAME_ERROR) : FAILURE), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
};
