import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

/**
 * What the HTTP client of the program can do by itself: it posts this many bodies of an event's size to a receiver, as
 * many at once as the program does, and does nothing else.
 */
const [url = '', count = '0'] = process.argv.slice(2);
const AT_ONCE = 4;
const { origin, pathname: path } = new URL(url);
const pool = new Pool(origin, { connections: AT_ONCE, pipelining: 1 });
const body = JSON.stringify({
  type: 'message.sent',
  timestamp: new Date().toISOString(),
  data: { _id: randomUUID(), filling: 'x'.repeat(480) },
});
const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'bare',
  'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
  'webhook-signature': `v1,${'x'.repeat(44)}`,
};

let next = 0;
const post = async (): Promise<void> => {
  for (let at = next++; at < Number(count); at = next++) {
    const headers = { ...HEADERS, 'webhook-id': `evt_${randomUUID()}` };
    const answer = await pool.request({ method: 'POST', path, headers, body });
    await answer.body.dump();
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, post));
await pool.close();
process.exit(0);
