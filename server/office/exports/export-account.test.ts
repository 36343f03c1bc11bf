import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse/sync';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { makeStillDevice } from '../../../test/devices.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { unzip } from '../../../test/unzip.ts';
import { findSession } from '../../customer/accounts/index.ts';
import { giveSender } from '../../customer/senders/index.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { openMediaFiles } from '../../traffic/media/index.ts';
import { exportedFiles } from '../../traffic/messages/index.ts';
import { openAudit } from '../audit/index.ts';
import { exportAccount } from './export-account.ts';
import { exportFiles } from './routes.ts';

const room = await openTestMessages();
const { db } = room;
const folder = await mkdtemp(join(tmpdir(), 'posthorn-export-'));
const media = openMediaFiles(join(folder, 'media'));
const deps = { profile: room.accounts, wallet: room.deps, media };
const app = fastify();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
registerRoutes(app, [{ guard: 'customer', files: exportFiles(deps) }], {
  findSession: (token) => findSession(db, token),
  findSender: async () => undefined,
  limits: room.accounts.limits,
});
/** For a client that leaves before the first byte. */
app.addHook('onSend', async (request) => {
  if (!request.headers['x-leaves']) return;
  const left = new Promise((resolve) => request.raw.socket.once('close', resolve));
  request.raw.socket.destroy();
  await left;
});
let url = '';
beforeAll(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
  await room.close();
});

const get = (accountId: string, token: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/account/${accountId}/export.zip`, { headers: { authorization: token, ...headers } });
const untilFree = (accountId: AccountId) =>
  expect
    .poll(
      async () => (await sql`select from account_exports where account_id = ${accountId}`.execute(db)).rows,
    )
    .toEqual([]);

const insertMessages = (accountId: AccountId, count: number) =>
  sql`insert into messages (id, account_id, channel, type, status, recipient_raw, recipient, message, price_micros,
      created_at, updated_at)
    select gen_random_uuid(), ${accountId}, 'sms', 'outgoing', 'SUCCESS', '6123', '+85261234567',
      'text ' || n || ', "quoted"' || chr(10) || '第二行', 32051, now() - (n / 3) * interval '1 second', now()
    from generate_series(1, ${count}) n`.execute(db);

const save = async (archive: NodeJS.ReadableStream): Promise<Map<string, Buffer>> => {
  const path = join(folder, 'export.zip');
  await pipeline(archive, createWriteStream(path));
  return unzip(path);
};

const table = (file: Buffer | undefined): Record<string, string>[] =>
  parse(file ?? '', { columns: true, bom: true });

test('all data of the account comes out, nobody else’s, and no secret', async () => {
  const { accountId, token, secret, testSecret } = await room.customer();
  const other = await room.customer();
  await room.addCard(accountId);
  await insertMessages(accountId, 2_500);
  await insertMessages(other.accountId, 3);
  await sql`insert into contacts (account_id, recipient, name) values (${accountId}, '+85261234567', '陳先生'),
    (${other.accountId}, '+85299999999', 'Somebody else')`.execute(db);
  await sql`insert into opt_outs (account_id, channel, recipient, source)
    values (${accountId}, 'sms', '+85261111111', 'REPLY')`.execute(db);
  await sql`insert into webhook_endpoints (account_id, url, secret_sealed)
    values (${accountId}, 'https://receiver.example/hook', 'sealed')`.execute(db);
  await sql`insert into webhook_events (account_id, type, data)
    select ${accountId}, 'webhook.test', '{}' from generate_series(1, 600)`.execute(db);
  const lane = await room.addLane({ name: 'whatsapp', channel: 'whatsapp' });
  const mediaId = 'aaaaaaaa-0000-4000-8000-000000000001' as never;
  await sql`insert into media (id, account_id, message_id, lane_id, provider_media_id, kind, file_name, state)
    values (${mediaId}, ${accountId}, gen_random_uuid(), ${lane}, 'x', 'image', '../../圖 片.png', 'STORED')`.execute(
    db,
  );
  await media.write(
    mediaId,
    { body: Readable.from([Buffer.from('picture')]), sha256: undefined },
    AbortSignal.timeout(10_000),
  );

  await giveSender({ db, holdOpen: async () => true }, { accountId, channel: 'sms', sender: 'Shop' });
  const phoneNumber = '+85261110001';
  const deviceId = await makeStillDevice(db, { accountId, simulated: false, phoneNumber });
  await makeStillDevice(db, { accountId: other.accountId, simulated: false, phoneNumber: '+85299999999' });
  const visited = { call: 'POST /admin/accounts/:accountId/view', subject: '', address: '::1' };
  const { accountId: adminId } = await room.customer();
  for (const whose of [accountId, other.accountId]) {
    const { end } = await openAudit(db).ask({ ...visited, adminId, accountId: whose }, {});
    await end({ event: 'done', after: { reason: `asked by ${whose}`, mayChange: false } });
  }
  const answer = await get(accountId, token);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  const files = await save(Readable.fromWeb(answer.body as never));
  expect([...files.keys()]).toEqual([
    'README.txt',
    'profile.json',
    'messages.csv',
    'ledger.csv',
    'payments.csv',
    'contacts.csv',
    'opt-outs.csv',
    'webhooks.json',
    'devices.json',
    'visits.json',
    `media/${mediaId}-.._.._圖_片.png`,
  ]);
  const messages = table(files.get('messages.csv'));
  expect(messages).toHaveLength(2_500);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(2_500);
  expect(messages.at(-1)).toMatchObject({
    recipient: '+85261234567',
    message: expect.stringMatching(/^text [12], "quoted"\n第二行$/),
    price_usd: '0.032051',
  });
  expect(messages.map(({ created_at }) => created_at)).toEqual(
    messages.map(({ created_at }) => created_at).sort(),
  );
  expect(JSON.parse(files.get('profile.json')?.toString() ?? '')).toMatchObject({
    _id: accountId,
    balance: 1,
    timeZone: 'Asia/Hong_Kong',
    cards: [{ brand: 'visa', last4: '4242', removedAt: null }],
    senders: [{ channel: 'sms', sender: 'Shop' }],
  });
  expect(JSON.parse(files.get('webhooks.json')?.toString() ?? '')).toMatchObject({
    endpoint: { url: 'https://receiver.example/hook' },
    events: { length: 600 },
  });
  expect(JSON.parse(files.get('devices.json')?.toString() ?? '')).toMatchObject([
    { deviceId, phoneNumber, countryCode: 'HK', wanted: 'RUNNING', deletedAt: null },
  ]);
  expect(JSON.parse(files.get('visits.json')?.toString() ?? '')).toEqual([
    { at: expect.any(String), reason: `asked by ${accountId}`, mayChange: false },
  ]);
  expect(table(files.get('ledger.csv'))).toHaveLength(1);
  expect(files.get('contacts.csv')?.toString()).toContain('陳先生');
  expect(files.get('opt-outs.csv')?.toString()).toContain('+85261111111');
  const whole = Buffer.concat([...files.values()]).toString('latin1');
  for (const hidden of [secret, testSecret, token, 'argon2', 'sealed', '99999999', 'cus_'])
    expect(whole).not.toContain(hidden);
});

test('only the account’s own session gets it', async () => {
  const { accountId } = await room.customer();
  const other = await room.customer();
  expect((await get(accountId, '')).status).toBe(401);
  expect((await get(accountId, other.token)).status).toBe(404);
  expect((await get(accountId, other.secret)).status).toBe(401);
});

test('one at a time, until it is done, given up or forgotten', async () => {
  const { accountId, token } = await room.customer();
  const wanted = { accountId, language: 'en_US' as const };
  const first = await exportAccount(deps, wanted);
  const second = await get(accountId, token);
  expect(second.status).toBe(409);
  expect(await second.json()).toMatchObject({ code: 'E_EXPORT_RUNNING' });
  await save(first);
  // A client that leaves in the middle releases the lease.
  const third = await exportAccount(deps, wanted);
  third.on('error', () => {});
  await new Promise((resolve) => third.once('readable', resolve));
  third.destroy();
  await untilFree(accountId);
  // So does a client that leaves before anything was read.
  (await exportAccount(deps, wanted)).destroy();
  await untilFree(accountId);
  await expect(get(accountId, token, { 'x-leaves': 'yes' })).rejects.toThrow();
  await untilFree(accountId);
  // A process that died left its lease, which expires.
  await exportAccount(deps, wanted);
  await expect(exportAccount(deps, wanted)).rejects.toMatchObject({ code: 'E_EXPORT_RUNNING' });
  await sql`update account_exports set leased_until = now() - interval '1 second'`.execute(db);
  expect((await save(await exportAccount(deps, wanted))).size).toBe(10);
});

test('an empty account has all files too, in the reader’s language', async () => {
  const accountId = await room.funded();
  const files = await save(await exportAccount(deps, { accountId, language: 'zh_HK' }));
  expect(files.get('README.txt')?.toString()).toContain('結餘');
  expect(table(files.get('messages.csv'))).toEqual([]);
  expect(files.get('messages.csv')?.toString()).toContain('created_at');
});

test('a long ledger is several files too, each with the titles', async () => {
  const accountId = await room.funded(10);
  await sql`select ledger_post(${accountId}, 'CAPTURE', 'bulk:' || n, 'x', array['AVAILABLE', 'REVENUE'],
    array[-1, 1]::bigint[]) from generate_series(1, 2500) n`.execute(db);
  const cut = { ...deps, partSize: { lines: 1_000 } };
  const files = await save(await exportAccount(cut, { accountId, language: 'en_US' }));
  const names = [...files.keys()].filter((name) => name.startsWith('ledger'));
  expect(names).toEqual(['ledger.csv', 'ledger-2.csv', 'ledger-3.csv']);
  const parts = names.map((name) => table(files.get(name)));
  expect(parts.map(({ length }) => length)).toEqual([1_000, 1_000, 501]);
  const entries = parts.flat().map(({ Entry }) => Number(Entry));
  expect(new Set(entries).size).toBe(2_501);
  expect(entries).toEqual(entries.toSorted((a, b) => b - a));
});

test('a long list is cut into files that each have the titles', async () => {
  const pieces = async function* () {
    yield ['title\r\n'];
    for (let page = 0; page < 5; page += 1) yield [`${page}a\r\n`, `${page}b\r\n`];
  };
  const parts: string[] = [];
  for await (const { lines } of exportedFiles(pieces(), { lines: 4, characters: 1_000 })) {
    let part = '';
    for await (const line of lines) part += line;
    parts.push(part.replaceAll('\r\n', ' '));
  }
  expect(parts).toEqual(['title 0a 0b 1a 1b ', 'title 2a 2b 3a 3b ', 'title 4a 4b ']);
});
