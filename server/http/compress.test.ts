import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { compressAnswers, encodingOf } from './compress.ts';
import { answerFile } from './registering/answer-file.ts';

const LINE = 'id,phone,message\r\n'.repeat(100);
const left = vi.fn();

async function* lines({ fails = false } = {}) {
  try {
    for (let at = 0; at < 2_000; at++) {
      if (fails && at === 1_000) throw new Error('the database is away');
      yield LINE;
    }
  } finally {
    left();
  }
}

const app = fastify();
compressAnswers(app);
app.get('/long', () => ({ text: LINE }));
app.get('/short', () => ({ text: 'short' }));
const csv = { contentType: 'text/csv; charset=utf-8', fileName: 'a.csv' };
app.get('/file', (request, reply) => answerFile(request, reply, { ...csv, body: Readable.from(lines()) }));
app.get('/broken', (request, reply) =>
  answerFile(request, reply, { ...csv, body: Readable.from(lines({ fails: true })) }),
);
app.get('/foreign', (request, reply) =>
  answerFile(request, reply, { ...csv, foreign: true, body: Readable.from([Buffer.from(LINE)]) }),
);
let url = '';
beforeAll(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

const get = (path: string, accepted?: string) =>
  app.inject({ url: path, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0', undefined],
  ['identity', undefined],
  ['', undefined],
])('a caller that takes %j gets %j', (accepted, encoding) => {
  expect(encodingOf(accepted)).toBe(encoding);
});

test('a long answer is compressed as the caller takes it, a short one is not', async () => {
  const brotli = await get('/long', 'gzip, br');
  expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual({ text: LINE });
  const gzip = await get('/long', 'gzip');
  expect(JSON.parse(gunzipSync(gzip.rawPayload).toString())).toEqual({ text: LINE });
  for (const plain of [await get('/long'), await get('/short', 'br')]) {
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.json()).toHaveProperty('text');
  }
});

test('a file of text is compressed on its way, a stranger’s is not touched', async () => {
  const file = await get('/file', 'gzip');
  expect(file.headers).toMatchObject({ 'content-encoding': 'gzip' });
  expect(gunzipSync(file.rawPayload).toString()).toBe(LINE.repeat(2_000));
  const foreign = await get('/foreign', 'gzip, br');
  expect(foreign.headers).not.toHaveProperty('content-encoding');
  expect(foreign.payload).toBe(LINE);
});

test('a compressed file that fails on the way is cut off, not ended', async () => {
  const answer = await fetch(`${url}/broken`);
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  await expect(answer.text()).rejects.toThrow();
});

test('a caller that leaves releases the source of a compressed file', async () => {
  left.mockClear();
  const controller = new AbortController();
  const answer = await fetch(`${url}/file`, { signal: controller.signal });
  await answer.body?.getReader().read();
  controller.abort();
  await vi.waitFor(() => expect(left).toHaveBeenCalled());
});
