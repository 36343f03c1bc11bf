import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startDnsServer } from '../../../test/emulators/dns-server.ts';
import { BEHAVIOURS, type Behaviour, startReceiver } from '../../../test/emulators/webhook-receiver.ts';
import { openHttpClient } from '../../ground/http-client/index.ts';
import { type HttpReceiversOptions, httpReceivers } from './http-receivers.ts';
import { retryAfterMs } from './retry-after.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const open = (options: Partial<HttpReceiversOptions> = {}) => {
  const receivers = httpReceivers({ allowPrivate: true, openHttpClient, ...options });
  closing.push(receivers.close);
  return receivers;
};
const receiverOf = async (behaviour?: Behaviour) => {
  const receiver = await startReceiver(behaviour);
  closing.push(receiver.close);
  return receiver;
};
const namesOf = async (addressesOf: (name: string) => string[]) => {
  const dns = await startDnsServer({ addressesOf });
  closing.push(dns.close);
  return dns;
};
const post = (url: string) => ({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"a":"結"}' });

test('a receiver gets the body and the headers, over one kept connection, and its answer is told', async () => {
  const receivers = open();
  const receiver = await receiverOf();
  for (let times = 0; times < 3; times += 1)
    expect(await receivers.post(post(receiver.url))).toMatchObject({
      status: 200,
      fault: '',
      body: 'thank you',
    });
  expect(receiver.received).toHaveLength(3);
  expect(receiver.received[0]).toMatchObject({ id: 'evt_1', body: '{"a":"結"}' });
  expect(receiver.state.connections).toBe(1);
});

test('a connection that the receiver closed meanwhile is replaced unseen', async () => {
  const receivers = open();
  let times = 0;
  const receiver = await receiverOf((response, received) => {
    times += 1;
    // The second request on the same connection finds it closed.
    if (times === 2) response.socket?.resetAndDestroy();
    else BEHAVIOURS.answer(response, received);
  });
  await receivers.post(post(receiver.url));
  expect(await receivers.post(post(receiver.url))).toMatchObject({ status: 200 });
  expect(receiver.received).toHaveLength(3);
});

test('a redirect is not followed, and its target told', async () => {
  const target = await receiverOf();
  const receiver = await receiverOf((response) => {
    response.writeHead(307, { location: target.url }).end();
  });
  expect(await open().post(post(receiver.url))).toMatchObject({
    status: 307,
    fault: 'REDIRECT',
    body: `Location: ${target.url}`,
  });
  expect(target.received).toHaveLength(0);
});

test('an answer is read for 4 kB at most, and one that never ends counts by its status', async () => {
  const receivers = open();
  const endless = await receivers.post(post((await receiverOf(BEHAVIOURS.endless)).url));
  expect(endless).toMatchObject({ status: 200, fault: '' });
  expect(endless.body.length).toBeLessThanOrEqual(1_000);
  expect(await receivers.post(post((await receiverOf(BEHAVIOURS.trickle)).url))).toMatchObject({
    status: 200,
    body: 'begun',
  });
});

test('one who hangs, closes, refuses or has no name is told as such', async () => {
  const receivers = open();
  const faultAt = async (url: string, by = receivers) => (await by.post(post(url))).fault;
  expect(await faultAt((await receiverOf(BEHAVIOURS.hang)).url, open({ timeoutMs: 200 }))).toBe('TIMEOUT');
  expect(await faultAt((await receiverOf(BEHAVIOURS.close)).url)).toBe('CONNECTION');
  const closed = await receiverOf();
  await closed.close();
  closing.pop();
  expect(await receivers.post(post(closed.url))).toMatchObject({ fault: 'CONNECTION', body: 'ECONNREFUSED' });
  expect(await faultAt('ftp://127.0.0.1/')).toBe('URL');
  const dns = await namesOf(() => []);
  const named = open({ servers: [dns.server], allowPrivate: false });
  expect((await named.post(post('http://nobody.example/'))).fault).toBe('NAME');
  const plain = await receiverOf();
  expect(await faultAt(plain.url.replace('http:', 'https:'))).toBe('TLS');
});

test('what is not HTTP, or an upgrade nobody asked for, is no answer', async () => {
  for (const words of [
    'SSH-2.0-OpenSSH\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    '',
  ]) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.end(words));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as { port: number };
    expect(await open().post(post(`http://127.0.0.1:${port}/`))).toMatchObject({
      status: null,
      fault: 'CONNECTION',
    });
  }
});

test('nothing is sent to an inner address, in whatever form it is given', async () => {
  const receivers = open({ allowPrivate: false });
  const { port, state } = await receiverOf();
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
    'localhost',
    '[::1]',
  ])
    expect(await receivers.post(post(`http://${host}:${port}/`))).toMatchObject({
      status: null,
      fault: 'ADDRESS',
    });
  expect(state.connections).toBe(0);
});

test('a name that turns to an inner address after it was saved reaches nothing', async () => {
  const { port, state } = await receiverOf();
  let address = '93.184.216.34';
  const dns = await namesOf(() => [address]);
  const receivers = open({ allowPrivate: false, servers: [dns.server] });
  const url = `http://rebinding.example:${port}/`;
  expect(await receivers.judge(url)).toBe('fine');
  address = '127.0.0.1';
  expect(await receivers.post(post(url))).toMatchObject({ status: null, fault: 'ADDRESS' });
  expect(await receivers.judge(url)).toBe('private');
  expect(state.connections).toBe(0);
  expect(dns.asked).toContain('rebinding.example');
});

test('a name with one inner address among public ones is refused', async () => {
  const dns = await namesOf(() => ['93.184.216.34', '10.0.0.1']);
  const receivers = open({ allowPrivate: false, servers: [dns.server] });
  expect(await receivers.judge('https://both.example/')).toBe('private');
  expect(await receivers.post(post('https://both.example/'))).toMatchObject({ fault: 'ADDRESS' });
});

test('the address that was checked is the one that is connected to: the name is asked for once a connection', async () => {
  const { port, received } = await receiverOf();
  const dns = await namesOf(() => ['127.0.0.1']);
  const receivers = open({ servers: [dns.server] });
  expect(await receivers.post(post(`http://inner.example:${port}/`))).toMatchObject({ status: 200 });
  expect(received[0]?.headers.host).toBe(`inner.example:${port}`);
  expect(dns.asked).toEqual(['inner.example']);
});

test('a name that nobody knows just now may be saved', async () => {
  const dns = await namesOf(() => []);
  expect(await open({ allowPrivate: false, servers: [dns.server] }).judge('https://soon.example/hook')).toBe(
    'fine',
  );
});

test.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
  ['-1', undefined],
])('Retry-After %j is %j ms', (header, ms) => {
  expect(retryAfterMs(header, Date.UTC(2026, 0, 1))).toBe(ms);
});
