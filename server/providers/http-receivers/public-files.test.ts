import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { startDnsServer } from '../../../test/emulators/dns-server.ts';
import { listenOn } from '../../../test/emulators/listen-on.ts';
import { openHttpClient } from '../../ground/http-client/index.ts';
import { publicFiles } from './public-files.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const LIMITS = { mostBytes: 1_000, timeoutMs: 20_000 };
const open = (options: Partial<Parameters<typeof publicFiles>[0]> = {}) =>
  publicFiles({ allowPrivate: true, openHttpClient, ...options });
const serve = async (listener: RequestListener) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    listener(request, response);
  });
  const port = await listenOn(server);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, port, asked };
};

test('a file comes with its type, also over redirects', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/a.png' }).end();
    else response.writeHead(200, { 'content-type': 'Image/PNG; charset=x' }).end('picture');
  });
  const file = { bytes: Buffer.from('picture'), mimeType: 'image/png' };
  expect(await open()(`${url}/a.png`, LIMITS)).toEqual(file);
  expect(await open()(`${url}/moved`, LIMITS)).toEqual(file);
});

test.each([
  [404, 'Its address answered with 404.', false],
  [503, 'Its address answered with 503.', true],
  [429, 'Its address answered with 429.', true],
])('an answer of %i is a fault', async (status, fault, retryable) => {
  const { url } = await serve((_, response) => response.writeHead(status).end());
  expect(await open()(url, LIMITS)).toEqual({ fault, retryable });
});

test('a file that is too large, and redirects without an end, are given up for good', async () => {
  const large = await serve((_, response) => response.writeHead(200).end('x'.repeat(1_001)));
  expect(await open()(large.url, LIMITS)).toMatchObject({ retryable: false });
  const round = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
  expect(await open()(round.url, LIMITS)).toEqual({
    fault: 'Its address leads elsewhere.',
    retryable: false,
  });
  expect(round.asked).toHaveLength(4);
});

test('one that does not come in time is tried again later', async () => {
  const { url } = await serve(() => {});
  expect(await open()(url, { ...LIMITS, timeoutMs: 200 })).toMatchObject({ retryable: true });
});

test('nothing is asked in networks that are not public, by address or by name', async () => {
  const inner = await serve((_, response) => response.writeHead(200).end('secret'));
  const refused = { fault: 'Its address may not be fetched from.', retryable: false };
  const fetchFile = open({ allowPrivate: false });
  for (const url of [inner.url, 'http://10.0.0.1/a.png', 'http://metadata.internal/', 'ftp://example.com/a'])
    expect(await fetchFile(url, LIMITS)).toEqual(refused);
  const dns = await startDnsServer({ addressesOf: () => ['127.0.0.1'] });
  closing.push(dns.close);
  const named = open({ allowPrivate: false, servers: [dns.server] });
  expect(await named(`http://files.example.com:${inner.port}/a.png`, LIMITS)).toEqual(refused);
  expect(inner.asked).toEqual([]);
});
