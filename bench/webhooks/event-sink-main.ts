import { openSync, writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { preciseNow } from '../measuring/precise-now.ts';
import type { SinkCounts } from './event-sink.ts';

/**
 * A receiver of webhook events, and of Kannel's callbacks, on plain sockets: it shall cost less than what it measures.
 * With a file as argument it appends a line for each event: its type and the id of its message.
 */
const [recordPath] = process.argv.slice(2);
const record = recordPath === undefined ? undefined : openSync(recordPath, 'a');
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n';

interface Event {
  id?: string;
  type: string;
  data: { _id?: string };
}

const ids = new Set<string>();
const NOTHING: SinkCounts = { calls: 0, events: 0, halfAt: 0, lastAt: 0 };
const counts = { ...NOTHING };
let expected = 0;

const take = (id: string): void => {
  if (ids.has(id)) return;
  ids.add(id);
  counts.events += 1;
  counts.lastAt = preciseNow();
  if (counts.events === Math.floor(expected / 2)) counts.halfAt = counts.lastAt;
};

const handle = (head: string, body: string): void => {
  counts.calls += 1;
  const isMany = body.startsWith('[');
  const events: Event[] = isMany || record !== undefined ? [JSON.parse(body)].flat() : [];
  if (record !== undefined)
    writeSync(record, events.map(({ type, data }) => `${type} ${data._id}\n`).join(''));
  if (isMany) for (const { id = '' } of events) take(id);
  // A callback of Kannel's has its id in the address.
  else take(/^webhook-id: (\S+)/im.exec(head)?.[1] ?? head.slice(0, head.indexOf('\r\n')));
};

const serve = (socket: Socket): void => {
  socket.setNoDelay(true);
  // A character is a byte then, as lengths count them.
  socket.setEncoding('latin1');
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
    for (;;) {
      const end = received.indexOf('\r\n\r\n') + 4;
      if (end < 4) return;
      const head = received.slice(0, end);
      const whole = end + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (received.length < whole) return;
      handle(head, received.slice(end, whole));
      received = received.slice(whole);
      socket.write(ANSWER);
    }
  });
  socket.on('error', () => {});
};

process.on('message', (asked: { expected: number } | 'counts') => {
  if (asked !== 'counts') {
    ids.clear();
    Object.assign(counts, NOTHING);
    expected = asked.expected;
  }
  process.send?.(counts);
});
process.once('disconnect', () => process.exit());

const server = createServer(serve).listen(0, '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
);
