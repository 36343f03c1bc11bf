import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MediaId } from '../../../contract/traffic/media.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { type GraphApi, startGraphApi } from '../../../test/emulators/graph-api/graph-api.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { findSession } from '../../customer/accounts/index.ts';
import { openHttpClient } from '../../ground/http-client/index.ts';
import { openLog } from '../../ground/log/index.ts';
import { buildApp } from '../../http/app.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { cloudMedia } from '../../providers/whatsapp-cloud/index.ts';
import {
  expectMedia,
  fetchMedia,
  findMedia,
  type MediaDeps,
  mediaRoutes,
  mediaTasks,
  openMediaFiles,
} from './index.ts';

const room = await openTestMessages();
const { db } = room;
let graph: GraphApi;
let folder: string;
let lane: number;
let deps: MediaDeps;
let accountId: AccountId;
let token: string;
let app: Awaited<ReturnType<typeof buildApp>>;

beforeAll(async () => {
  graph = await startGraphApi();
  folder = await mkdtemp(join(tmpdir(), 'posthorn-media-'));
  lane = await room.addLane({ name: 'cloud', channel: 'whatsapp' });
  const [number] = graph.numbers;
  const source = cloudMedia({
    phoneNumberId: number?.phoneNumberId ?? '',
    token: graph.token,
    apiBase: graph.url(),
    timeoutMs: 20_000,
    openHttpClient,
  });
  const files = openMediaFiles(folder, { maxBytes: 1_000_000 });
  deps = {
    db,
    files,
    sourceOf: async (name) => (name === 'cloud' ? source : undefined),
    log: { warn: () => {} },
  };
  const customer = await room.customer();
  ({ accountId, token } = customer);
  app = await buildApp({
    log: openLog({ level: 'silent' }),
    trustProxy: [],
    publicUrl: 'http://127.0.0.1:3000',
    metricsToken: undefined,
    gauges: [],
    checkReady: async () => {},
  });
  registerRoutes(app, [{ guard: 'customer', files: mediaRoutes({ db, files }) }], {
    findSession: (given) => findSession(db, given),
    findSender: async () => undefined,
    limits: room.accounts.limits,
  });
});
afterAll(async () => {
  await app.close();
  await graph.close();
  await room.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => {
  graph.behaviour.tokenExpired = false;
});

const note = async (rest: Partial<Parameters<typeof expectMedia>[1]> = {}): Promise<MediaId> => {
  const id = randomUUID() as MediaId;
  await expectMedia(db, {
    id,
    accountId,
    messageId: randomUUID() as MessageId,
    laneId: lane,
    providerMediaId: '1',
    kind: 'file',
    mimeType: '',
    fileName: '',
    ...rest,
  });
  return id;
};
const run = () => fetchMedia(deps, new AbortController().signal);
const find = (mediaId: MediaId) => findMedia(db, { accountId, mediaId });
const hurry = (id: MediaId) => sql`update media set due_at = now() where id = ${id}`.execute(db);
const download = (mediaId: string, rest: { account?: string; bearer?: string } = {}) =>
  app.inject({
    url: `/api/account/${rest.account ?? accountId}/media/${mediaId}`,
    headers: { authorization: rest.bearer ?? token },
  });

test('what came with a message is fetched with our token, and its owner gets it as a file', async () => {
  const bytes = randomBytes(300_000);
  const providerMediaId = graph.addMedia({ bytes, mimeType: 'application/pdf' });
  const id = await note({ providerMediaId, fileName: '帳單 "1".pdf' });
  expect((await download(id)).json()).toMatchObject({ code: 'E_MEDIA_NOT_READY' });
  await Promise.all([run(), run()]);
  expect(await find(id)).toMatchObject({ state: 'STORED', bytes: 300_000n, mimeType: 'application/pdf' });
  const answer = await download(id);
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.equals(bytes)).toBe(true);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': '300000',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `attachment; filename="_1_.pdf"; filename*=UTF-8''%E5%B8%B3%E5%96%AE%20%221%22.pdf`,
  });
  expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
});

test.each([
  ['text/html', 'application/octet-stream'],
  ['image/svg+xml', 'application/octet-stream'],
  ['IMAGE/JPEG; x=y', 'image/jpeg'],
  ['audio/ogg; codecs=opus', 'audio/ogg'],
  ['x\r\ny', 'application/octet-stream'],
])('what is told to be %j is served as %s', async (mimeType, served) => {
  const media = {
    bytes: Buffer.from('<script>alert(1)</script>'),
    mimeType: mimeType.replace(/[\r\n]/g, ' '),
  };
  const id = await note({ providerMediaId: graph.addMedia(media), kind: 'image', mimeType });
  await run();
  const answer = await download(id);
  expect(answer.headers['content-type']).toBe(served);
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="image-/);
});

describe('only its owner gets it', () => {
  test('not another account, not without a session, and no path leads elsewhere', async () => {
    const id = await note({
      providerMediaId: graph.addMedia({ bytes: Buffer.from('x'), mimeType: 'image/png' }),
    });
    await run();
    const stranger = await room.customer();
    expect((await download(id, { bearer: stranger.token })).statusCode).toBe(404);
    expect((await download(id, { account: stranger.accountId, bearer: stranger.token })).statusCode).toBe(
      404,
    );
    expect((await download(id, { bearer: '' })).statusCode).toBe(401);
    expect((await download(randomUUID())).statusCode).toBe(404);
    for (const odd of ['..%2f..%2fsecret.key', 'x', `${id}%00`])
      expect((await download(odd)).statusCode).toBe(400);
  });
});

test('what is away for now is tried again; nothing half-fetched is left', async () => {
  const providerMediaId = graph.addMedia({ bytes: Buffer.from('later'), mimeType: 'text/plain' });
  const id = await note({ providerMediaId });
  graph.behaviour.tokenExpired = true;
  await run();
  expect(await find(id)).toMatchObject({ state: 'WAITING', reason: expect.stringContaining('190') });
  await run();
  graph.behaviour.tokenExpired = false;
  await hurry(id);
  await run();
  expect(await find(id)).toMatchObject({ state: 'STORED', reason: '' });
  expect(await buffer((await deps.files.read(id))?.body as never)).toEqual(Buffer.from('later'));
});

test('bytes that are not those that were sent are not kept', async () => {
  const media = { bytes: Buffer.from('damaged'), mimeType: 'text/plain', sha256: 'a'.repeat(64) };
  const id = await note({ providerMediaId: graph.addMedia(media) });
  await run();
  expect(await find(id)).toMatchObject({
    state: 'WAITING',
    reason: expect.stringContaining('not what was sent'),
  });
  expect(await deps.files.read(id)).toBeUndefined();
});

test('what is too large is given up at once', async () => {
  const media = { bytes: Buffer.alloc(1_000_001), mimeType: 'text/plain' };
  const id = await note({ providerMediaId: graph.addMedia(media) });
  await run();
  expect(await find(id)).toMatchObject({ state: 'FAILED', reason: expect.stringContaining('larger') });
  expect((await download(id)).statusCode).toBe(404);
  expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
});

test('what the provider no longer has is given up at once, and the rest after ten tries', async () => {
  const gone = await note({ providerMediaId: '404404' });
  const { rows } = await sql<{ id: number }>`
    insert into lanes (name, channel, provider, simulated) values ('old', 'whatsapp', 'x', false) returning id`.execute(
    db,
  );
  const orphan = await note({ laneId: rows[0]?.id ?? 0 });
  for (let tried = 0; tried < 10; tried += 1) {
    await run();
    await hurry(orphan);
  }
  expect(await find(gone)).toMatchObject({ state: 'FAILED', reason: 'The provider no longer has it.' });
  expect(await find(orphan)).toMatchObject({
    state: 'FAILED',
    reason: expect.stringContaining('not set up'),
  });
});

test('after sixty days it is removed, the file first', async () => {
  const providerMediaId = graph.addMedia({ bytes: Buffer.from('old'), mimeType: 'text/plain' });
  const [old, kept] = [await note({ providerMediaId }), await note({ providerMediaId })];
  await run();
  await sql`update media set created_at = now() - interval '61 days' where id = ${old}`.execute(db);
  await mediaTasks(deps)['media.remove-old']?.run({}, new AbortController().signal);
  expect(await find(old)).toMatchObject({ state: 'REMOVED', fileName: '' });
  expect(await deps.files.read(old)).toBeUndefined();
  expect((await download(old)).statusCode).toBe(404);
  expect((await download(kept)).statusCode).toBe(200);
});

describe('the preview of an image', () => {
  const picture = () =>
    sharp({ create: { width: 1_600, height: 800, channels: 3, background: '#c33' } })
      .withExif({ IFD0: { Copyright: 'taken at home' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
  const previewOf = (mediaId: string, rest: Parameters<typeof download>[1] = {}) =>
    download(`${mediaId}/preview`, rest);
  const received = async (bytes: Buffer, mimeType: string): Promise<MediaId> => {
    const id = await note({ providerMediaId: graph.addMedia({ bytes, mimeType }), kind: 'image' });
    await run();
    return id;
  };

  test('is small, upright, without metadata, and can not run in our origin', async () => {
    const bytes = await picture();
    expect(bytes.includes('taken at home')).toBe(true);
    const id = await received(bytes, 'image/jpeg');
    const answer = await previewOf(id);
    expect(answer).toMatchObject({ statusCode: 200 });
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': expect.stringMatching(/^attachment/),
    });
    const { width, height, exif } = await sharp(answer.rawPayload).metadata();
    expect({ width, height, exif }).toEqual({ width: 240, height: 480, exif: undefined });
    expect(answer.rawPayload.includes('taken at home')).toBe(false);
    // Once made, it is read from disk.
    expect((await previewOf(id)).rawPayload.equals(answer.rawPayload)).toBe(true);
    expect((await previewOf(id, { account: randomUUID() })).statusCode).toBe(404);
  });

  test.each([
    ['something else that calls itself an image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a damaged file', randomBytes(2_000)],
  ])('%s has none', async (_, bytes) => {
    const id = await received(bytes, 'image/png');
    expect((await previewOf(id)).json()).toMatchObject({ code: 'E_NOT_FOUND' });
    expect((await download(id)).statusCode).toBe(200);
  });

  test('a picture of too many pixels has none, however few bytes it has', async () => {
    const bytes = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect((await previewOf(await received(bytes, 'image/png'))).statusCode).toBe(404);
  });

  test('goes with its file', async () => {
    const id = await received(await picture(), 'image/jpeg');
    expect((await previewOf(id)).statusCode).toBe(200);
    await deps.files.remove(id);
    expect((await readdir(join(folder, id.slice(0, 2)))).filter((name) => name.startsWith(id))).toEqual([]);
  });
});
