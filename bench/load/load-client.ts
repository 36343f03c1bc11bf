import { connect } from 'node:net';
import { preciseNow } from '../measuring/precise-now.ts';
import type { LoadAccount, LoadOptions, LoadResult } from './load.ts';
import { bodyOf, numberOf } from './load-texts.ts';

/** Plain sockets: whatever this process costs distorts what it measures. */
const { port, clients, requests, target, prefix }: LoadOptions = JSON.parse(process.argv[2] ?? '{}');
const accounts = target.kind === 'posthorn' ? target.accounts : [];
/** No other run has the same keys. */
const keyPrefix = `${process.pid}-${Date.now()}`;

const messageOf = (at: number) => ({ phone: `+${numberOf(prefix, at)}`, message: bodyOf(at) });

const postOf = (at: number, { secret, keyed }: LoadAccount, messagesPerCall: number): string => {
  const isBulk = messagesPerCall > 1;
  const messages = Array.from({ length: messagesPerCall }, (_, place) =>
    messageOf(at * messagesPerCall + place),
  );
  const body = JSON.stringify(isBulk ? { secret, messages } : { secret, ...messages[0] });
  const key = keyed ? `Idempotency-Key: ${keyPrefix}-${at}\r\n` : '';
  return `POST /api/sms/${isBulk ? 'sendMany' : 'send'} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${key}Content-Length: ${body.length}\r\n\r\n${body}`;
};

const requestOf = (at: number, account: LoadAccount | undefined): string => {
  if (target.kind === 'posthorn' && account) return postOf(at, account, target.messagesPerCall);
  const text = encodeURIComponent(bodyOf(at));
  const path = target.kind === 'kannel' ? target.path : '';
  return `GET ${path}&to=${numberOf(prefix, at)}&text=${text} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
};

const waits = new Float64Array(requests);
const result: LoadResult = {
  firstAt: 0,
  lastAt: 0,
  failed: 0,
  fault: '',
  p50: 0,
  p99: 0,
  answered: accounts.map(() => 0),
};
let asked = 0;
let answered = 0;

const finish = (): void => {
  result.lastAt = preciseNow();
  const sorted = waits.toSorted();
  result.p50 = sorted[Math.floor(requests * 0.5)] ?? 0;
  result.p99 = sorted[Math.floor(requests * 0.99)] ?? 0;
  process.send?.(result, () => process.exit(0));
};

const startClient = (client: number): void => {
  const place = client % Math.max(1, accounts.length);
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  let at = 0;
  let since = 0;
  let received = '';
  const ask = (): void => {
    if (asked === requests) return void socket.end();
    at = asked++;
    since = performance.now();
    socket.write(requestOf(at, accounts[place]));
  };
  const fail = (fault: string): void => {
    result.failed += 1;
    result.fault ||= fault.slice(0, 500);
  };
  socket.on('connect', ask);
  socket.on('data', (chunk: string) => {
    received += chunk;
    const head = received.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < head + 4 + length) return;
    if (!received.startsWith('HTTP/1.1 20')) fail(received);
    received = '';
    waits[at] = performance.now() - since;
    answered += 1;
    result.answered[place] = (result.answered[place] ?? 0) + 1;
    if (answered === requests) finish();
    else ask();
  });
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => {
    if (asked === requests || answered === requests) return;
    // Some servers close a connection after a number of requests; that is not a fault.
    startClient(client);
  });
};

result.firstAt = preciseNow();
for (let client = 0; client < clients; client += 1) startClient(client);
