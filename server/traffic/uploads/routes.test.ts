import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import iconv from 'iconv-lite';
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { UploadId } from '../../../contract/traffic/uploads.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { findSession, openSenderSearch } from '../../customer/accounts/index.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { registerOpenApi } from '../../http/openapi.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { batchRoutes } from '../batches/index.ts';
import { statusRoutes } from '../messages/index.ts';
import { sendingRoutes } from '../sending/index.ts';
import { csvUploads, uploadFiles, uploadRoutes } from './routes.ts';
import { readRows } from './store.ts';
import { uploadTasks } from './tasks.ts';

const room = await openTestMessages();
const { db, accounts, customer } = room;
await room.addLane({ name: 'sms', channel: 'sms' });
await room.addLane({ name: 'email', channel: 'email' });
await room.addLane({ name: 'whatsapp', channel: 'whatsapp' });
await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
const messages = await room.open();
const folder = await mkdtemp(join(tmpdir(), 'posthorn-uploads-'));
const guards = {
  findSession: (token: string) => findSession(db, token),
  findSender: openSenderSearch(db),
  limits: accounts.limits,
};
/** What the program would log as a fault of its own. */
const faults: string[] = [];
const app = fastify({ logger: { level: 'error', stream: { write: (line) => void faults.push(line) } } });
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
await registerOpenApi(app, { version: '0.0.0', publicUrl: 'http://127.0.0.1:3000' });
registerRoutes(
  app,
  [
    { guard: 'sender', routes: sendingRoutes(messages) },
    { guard: 'sender', routes: statusRoutes(messages) },
    { guard: 'sender', routes: batchRoutes(messages) },
    {
      guard: 'sender',
      routes: uploadRoutes(messages),
      files: uploadFiles(messages),
      uploads: csvUploads(messages, folder),
    },
  ],
  guards,
);
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as { port: number };
afterAll(async () => {
  await app.close();
  expect(await readdir(folder)).toEqual([]);
  expect(faults).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await rm(folder, { recursive: true });
  await room.close();
});

const PRICE = 0.032051;

interface Asked {
  bearer?: string;
  key?: string;
  language?: string;
}
const headersOf = ({ bearer, key, language = 'en-US' }: Asked) => ({
  'accept-language': language,
  ...(bearer && { authorization: `Bearer ${bearer}` }),
  ...(key && { 'idempotency-key': key }),
});
const ask = async (call: string, asked: Asked) => {
  const [method, path] = call.split(' ') as ['GET' | 'POST' | 'DELETE', string];
  const answer = await app.inject({ method, url: `/api${path}`, headers: headersOf(asked) });
  return { http: answer.statusCode, ...answer.json() };
};

interface Given extends Asked {
  fields?: Record<string, string>;
  call?: string;
}
/** Fields come after the file, as the specification lists them. */
const upload = async (
  csv: string | Buffer | undefined,
  { fields = {}, call = 'sms/csvPreflight', ...asked }: Given,
) => {
  const form = new FormData();
  if (csv !== undefined) form.append('csv', new Blob([csv as BlobPart]), 'people.csv');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const answer = await fetch(`http://127.0.0.1:${port}/api/${call}`, {
    method: 'POST',
    headers: headersOf(asked),
    body: form,
  });
  return { http: answer.status, ...((await answer.json()) as Record<string, never>) } as Record<
    string,
    never
  > & {
    http: number;
  };
};
const counted = async (table: 'uploads' | 'upload_rows' | 'upload_refusals', accountId: AccountId) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    ${table === 'uploads' ? sql`` : sql`join uploads on uploads.id = upload_id`}
    where account_id = ${accountId}`.execute(db);
  return rows[0]?.count;
};
const bytes = (file: string): Buffer => Buffer.from(file, 'utf8');

test('a file is checked for free, then its valid rows are sent at the quoted price', async () => {
  const { accountId, token: bearer } = await customer();
  const file = [
    'Name,Phone,Message',
    'Ann,6111 2222,Hello {{name}}',
    'Bob,123,Hello {{name}}',
    ',6111 3333,Hello {{name}}',
    'Ann,+852 6111 2222,Hello {{name}}',
    'Eve,6111 4444,',
    '',
    'Joe,6111 5555,"Hello {{ NAME }},\nyou"',
  ].join('\r\n');
  const checked = await upload(file, { bearer });
  expect(checked).toMatchObject({
    http: 200,
    state: 'READY',
    batchId: null,
    fileName: 'people.csv',
    header: true,
    columns: ['Name', 'Phone', 'Message'],
    rows: 6,
    accepted: 2,
    refused: 4,
    duplicates: 1,
    segments: 2,
    price: 2 * PRICE,
    balance: 1,
    balanceAfter: 1 - 2 * PRICE,
    expectedSeconds: 1,
    sample: { phone: '+85261112222', message: 'Hello Ann' },
    refusals: [
      { row: 3, column: 'Phone', code: 'E_PHONE_INVALID' },
      { row: 4, column: 'Name', code: 'E_PLACEHOLDER_EMPTY', message: 'Nothing is given for Name.' },
      { row: 5, column: 'Phone', code: 'E_DUPLICATE' },
      { row: 6, column: 'Message', code: 'E_MESSAGE_EMPTY' },
    ],
  });
  expect(checked.reasons).toHaveLength(4);
  expect(await room.messagesOf(accountId)).toEqual([]);
  expect(await room.balance(accountId)).toBe(1_000_000n);
  // The price list may change meanwhile: the quote holds.
  await sql`update prices set unit_micros = 99999 where channel = 'sms'`.execute(db);
  const sent = await ask(`POST /uploads/${checked._id}/send`, { bearer });
  await sql`update prices set unit_micros = 32051 where channel = 'sms'`.execute(db);
  expect(sent).toMatchObject({
    http: 200,
    state: 'SENT',
    balance: 1 - 2 * PRICE,
    balanceAfter: 1 - 2 * PRICE,
  });
  expect(await ask(`POST /uploads/${checked._id}/send`, { bearer })).toEqual({ ...sent, repeated: true });
  expect(await ask(`GET /uploads/${checked._id}`, { bearer })).toEqual(sent);
  const rows = await room.messagesOf(accountId);
  expect(rows.map(({ recipient, message, priority }) => [recipient, message, priority])).toEqual([
    ['+85261112222', 'Hello Ann', 1],
    ['+85261115555', 'Hello Joe,\nyou', 1],
  ]);
  expect(await room.balance(accountId)).toBe(1_000_000n - 64_102n);
  expect(await counted('upload_rows', accountId)).toBe(0);
  expect(await ask(`GET /batches/${sent.batchId}`, { bearer })).toMatchObject({ kind: 'CSV', total: 2 });
  expect(await ask(`DELETE /uploads/${checked._id}`, { bearer })).toMatchObject({
    http: 409,
    code: 'E_UPLOAD_SENT',
  });
});

test('direct sending gives the same counts, by secret, bearer secret or session, and a repeat the first answer', async () => {
  const { accountId, secret, token } = await customer();
  await room.give(accountId, 'sms', 'Shop');
  const file = 'phone,message\n61112222,one\n61112222,one\nx,two\n';
  const call = 'sms/csvSend';
  const first = await upload(file, { call, fields: { secret, fromPhone: 'Shop' } });
  expect(first).toMatchObject({ http: 200, state: 'SENT', rows: 3, accepted: 1, refused: 2, duplicates: 1 });
  expect(first).toMatchObject({ price: PRICE, balance: 1 - PRICE, batchId: expect.any(String) });
  expect(first.repeated).toBe(false);
  for (const bearer of [secret, token])
    expect(await upload(file, { call, bearer, fields: { fromPhone: 'Shop' } })).toEqual({
      ...first,
      repeated: true,
    });
  const rows = await room.messagesOf(accountId);
  expect(rows.map(({ sender, message }) => [sender, message])).toEqual([['Shop', 'one']]);
  const again = await upload(file, { call, bearer: token, fields: { fromPhone: 'Shop' }, key: 'again' });
  expect(again._id).not.toBe(first._id);
  expect(await upload(`${file}61112222,three\n`, { call, bearer: token, key: 'again' })).toMatchObject({
    http: 409,
    code: 'E_IDEMPOTENCY_KEY_REUSED',
  });
  expect(await room.messagesOf(accountId)).toHaveLength(2);
});

test('the same file sent twice at once goes out once; an hour later it may go out again', async () => {
  const { accountId, secret } = await customer();
  const send = () => upload('phone,message\n61112222,hi\n', { call: 'sms/csvSend', bearer: secret });
  const [one, two] = await Promise.all([send(), send()]);
  expect({ ...one, repeated: false }).toEqual({ ...two, repeated: false });
  expect([one.repeated, two.repeated].toSorted()).toEqual([false, true]);
  expect(await room.messagesOf(accountId)).toHaveLength(1);
  await sql`update uploads set created_at = now() - interval '61 minutes'
    where account_id = ${accountId}`.execute(db);
  expect((await send())._id).not.toBe(one._id);
  expect(await room.messagesOf(accountId)).toHaveLength(2);
});

test('a repeat gets the first answer also after the time to send has passed', async () => {
  const { secret } = await customer();
  const file = 'phone,message\n61112222,hi\n';
  const sendAt = new Date(Date.now() + 60_000).toISOString();
  const direct = () => upload(file, { call: 'sms/csvSend', bearer: secret, key: 'k', fields: { sendAt } });
  const checked = await upload(file, { bearer: secret });
  const send = async () => {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/uploads/${checked._id}/send`,
      headers: headersOf({ bearer: secret }),
      payload: { sendAt },
    });
    return { http: answer.statusCode, ...answer.json() };
  };
  const first = [await direct(), await send()];
  expect(first).toMatchObject([{ http: 200 }, { http: 200 }]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  try {
    const again = [await direct(), await send()];
    expect(again).toEqual(first.map((answer) => ({ ...answer, repeated: true })));
  } finally {
    vi.useRealTimers();
  }
});

test('the test secret checks and sends for nothing, and never sends what costs', async () => {
  const { accountId, testSecret, secret } = await customer();
  const file = 'phone,message\n61112222,hi\n';
  expect(await upload(file, { call: 'sms/csvSend', fields: { secret: testSecret } })).toMatchObject({
    test: true,
    price: 0,
    balance: 1,
  });
  const paid = await upload(file, { bearer: secret });
  expect(await ask(`POST /uploads/${paid._id}/send`, { bearer: testSecret })).toMatchObject({ http: 404 });
  expect(await room.balance(accountId)).toBe(1_000_000n);
});

test('a balance that does not suffice refuses the whole, and leaves what was checked to be sent later', async () => {
  const { accountId, token: bearer } = await customer();
  const rows = Array.from({ length: 40 }, (_, at) => `6111${2000 + at},hello`);
  const file = ['phone,message', ...rows].join('\n');
  expect(await upload(file, { bearer, call: 'sms/csvSend' })).toMatchObject({
    http: 402,
    code: 'E_BALANCE_TOO_LOW',
  });
  expect(await counted('uploads', accountId)).toBe(0);
  const checked = await upload(file, { bearer });
  expect(checked.balanceAfter).toBeLessThan(0);
  const send = () => ask(`POST /uploads/${checked._id}/send`, { bearer });
  expect(await send()).toMatchObject({ http: 402, code: 'E_BALANCE_TOO_LOW' });
  expect(await room.messagesOf(accountId)).toEqual([]);
  expect(await room.balance(accountId)).toBe(1_000_000n);
  await room.addMoney(accountId, 1);
  const outcomes = await Promise.all([send(), send()]);
  expect(outcomes.map(({ repeated }) => repeated).toSorted()).toEqual([false, true]);
  expect({ ...outcomes[0], repeated: false }).toEqual({ ...outcomes[1], repeated: false });
  expect(await room.messagesOf(accountId)).toHaveLength(40);
});

test.each([
  ['UTF-8', bytes('電話,訊息\n61112222,你好嘅\n')],
  ['UTF-8 with a mark', bytes('\uFEFF電話,訊息\n61112222,你好嘅\n')],
  ['UTF-16 LE', Buffer.from('\uFEFF電話\t訊息\n61112222\t你好嘅\n', 'utf16le')],
  ['UTF-16 BE', Buffer.from('\uFEFF電話;訊息\r\n61112222;你好嘅\r\n', 'utf16le').swap16()],
  ['Big5 of Hong Kong', iconv.encode('電話,訊息\n61112222,你好嘅\n', 'big5hkscs')],
  ['no header', bytes('61112222,你好嘅')],
  ['semicolons, commas in the text', bytes('61112222;"你好嘅"\n61113333;a, b, c\n')],
  ['a single carriage return', bytes('訊息,電話\r你好嘅,61112222\r')],
  ['columns in quotes', bytes('"Mobile No.";"Text"\n"61112222";"你好嘅"\n')],
])('%s is read', async (_, file) => {
  const { secret: bearer } = await customer();
  expect(await upload(file, { bearer })).toMatchObject({
    http: 200,
    refused: 0,
    sample: { phone: '+85261112222', message: '你好嘅' },
  });
});

test('a column identifier has the reference of each row, sent at once or after a look', async () => {
  const { accountId, secret: bearer } = await customer();
  const rows = (first: number) =>
    `phone,message,Identifier\n6111000${first},hello,order ${first}\n6111000${first + 1},hello,\n`;
  expect(await upload(rows(1), { bearer, call: 'sms/csvSend' })).toMatchObject({ accepted: 2 });
  const { _id } = await upload(rows(3), { bearer, call: 'sms/csvPreflight' });
  await ask(`POST /uploads/${_id}/send`, { bearer });
  const { rows: stored } = await sql`select identifier from messages where account_id = ${accountId}
    order by recipient`.execute(db);
  expect(stored.map((row) => (row as { identifier: string | null }).identifier)).toEqual([
    'order 1',
    null,
    'order 3',
    null,
  ]);
  const long = `phone,message,identifier\n61110009,hello,${'x'.repeat(201)}\n`;
  expect(await upload(long, { bearer, call: 'sms/csvPreflight' })).toMatchObject({
    refusals: [{ code: 'E_IDENTIFIER_TOO_LONG', message: expect.stringContaining('200') }],
  });
});

test('a text for all rows takes its placeholders from any column', async () => {
  const { secret: bearer } = await customer();
  const file = 'to,subject,First Name\nann@example.com,Your bill,Ann\nbob@example.com,Yours,\n';
  const fields = { message: 'Dear {{first_name}}', subject: 'Hi: {{subject}}' };
  expect(await upload(file, { bearer, fields, call: 'email/csvSend' })).toMatchObject({
    accepted: 1,
    sample: { phone: 'ann@example.com', message: 'Dear Ann' },
    refusals: [{ row: 3, column: 'First Name' }],
  });
  expect(
    await upload(file, { bearer, fields: { message: '{{last}}' }, call: 'email/csvSend' }),
  ).toMatchObject({
    http: 400,
    code: 'E_CSV_NO_COLUMN',
  });
});

test('what placeholders make of a small file is bounded: in a row, and of what is in memory at once', async () => {
  const { accountId, secret: bearer } = await customer();
  const row = (at: number, length: number) => `p${at}@example.com,${'&'.repeat(length)}\n`;
  const rows = Array.from({ length: 25 }, (_, at) => row(at, 190_000)).join('');
  const html = '{{a}}'.repeat(300);
  for (const [field, text] of Object.entries({ html, message: html, subject: '{{a}}' }))
    expect(
      await upload(`to,a\n${rows}`, {
        bearer,
        fields: { message: 'x', [field]: text },
        call: 'email/csvSend',
      }),
    ).toMatchObject({
      http: 200,
      accepted: 0,
      refused: 25,
      reasons: [{ code: 'E_MESSAGE_TOO_LONG', count: 25 }],
    });
  // A row that fits is sent, and no statement holds more than a few of the longest.
  const fitting = Array.from({ length: 30 }, (_, at) => row(at, 90_000)).join('');
  const checked = await upload(`to,a\n${fitting}`, {
    bearer,
    fields: { html: '{{a}}' },
    call: 'email/csvPreflight',
  });
  expect(checked).toMatchObject({ accepted: 30, refused: 0 });
  const page = await readRows(db, { uploadId: String(checked._id) as UploadId, after: 0, limit: 1_000 });
  expect(page.map(({ row }) => row)).toEqual([2, 3, 4]);
  expect(await ask(`POST /uploads/${checked._id}/send`, { bearer })).toMatchObject({
    http: 200,
    accepted: 30,
  });
  expect(await room.messagesOf(accountId)).toHaveLength(30);
});

test.each([
  ['nothing at all', undefined, 'E_CSV_MISSING'],
  ['an empty file', bytes(''), 'E_CSV_EMPTY'],
  ['blank lines', bytes('\n\r\n ,\n'), 'E_CSV_EMPTY'],
  ['only a header', bytes('phone,message\n'), 'E_CSV_EMPTY'],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'E_CSV_NOT_TEXT'],
  ['NUL bytes far in', bytes(`phone,message\n${'61112222,a\n'.repeat(50_000)}\0`), 'E_CSV_NOT_TEXT'],
  ['noise', Buffer.from([0x61, 0xff, 0xfe, 0x80, 0x81, 0x0a]), 'E_CSV_NOT_TEXT'],
  ['half a character at its end', bytes('phone,message\n61112222,你').subarray(0, -1), 'E_CSV_TRUNCATED'],
  [
    'half a character of UTF-16',
    Buffer.from('\uFEFFphone,message\n6,a', 'utf16le').subarray(0, -1),
    'E_CSV_TRUNCATED',
  ],
  [
    'a quotation mark that is never closed',
    bytes('phone,message\n61112222,"hello\n61113333,b\n'),
    'E_CSV_QUOTE_OPEN',
  ],
  [
    'one that swallows a long file',
    bytes(`phone,message\n6,"${'x\n'.repeat(500_000)}`),
    'E_CSV_ROW_TOO_LONG',
  ],
  ['an endless line', bytes(`phone,message\n${'x'.repeat(5_000_000)}`), 'E_CSV_ROW_TOO_LONG'],
  ['ten thousand columns', bytes(`phone,message${',x'.repeat(10_000)}\n`), 'E_CSV_TOO_MANY_COLUMNS'],
  ['no column for the phone', bytes('name,message\nAnn,hi\n'), 'E_CSV_NO_RECIPIENT_COLUMN'],
  ['no message', bytes('phone,name\n61112222,Ann\n'), 'E_CSV_NO_MESSAGE'],
])('%s is refused and leaves nothing behind', async (_, file, code) => {
  const { accountId, secret: bearer } = await customer();
  for (const call of ['sms/csvPreflight', 'sms/csvSend'])
    expect(await upload(file, { bearer, call })).toMatchObject({ http: 400, code });
  expect(await counted('uploads', accountId)).toBe(0);
  expect(await room.messagesOf(accountId)).toEqual([]);
});

test('a file that is too large is refused before and while it is read', async () => {
  const { accountId, secret: bearer } = await customer();
  const line = Buffer.from('61112222,hello\n'.repeat(70_000));
  const body = (parts: number) =>
    new ReadableStream({
      start: (to) =>
        to.enqueue(
          Buffer.from(
            '--b\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\n\r\nphone,message\n',
          ),
        ),
      pull: (to) => {
        parts -= 1;
        if (parts >= 0) to.enqueue(line);
        else to.close();
      },
    });
  const answer = await app.inject({
    method: 'POST',
    url: '/api/sms/csvSend',
    headers: {
      ...headersOf({ bearer }),
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': '1000000000',
    },
    payload: '',
  });
  expect(answer.statusCode).toBe(413);
  const streamed = await fetch(`http://127.0.0.1:${port}/api/sms/csvSend`, {
    method: 'POST',
    headers: { ...headersOf({ bearer }), 'content-type': 'multipart/form-data; boundary=b' },
    body: body(220),
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => status,
    () => 'closed',
  );
  // The answer may be lost with the connection that is still being written to.
  expect([413, 'closed']).toContain(streamed);
  expect(await counted('uploads', accountId)).toBe(0);
});

test('a form that ends early is told as such', async () => {
  const { accountId, secret: bearer } = await customer();
  const answer = await app.inject({
    method: 'POST',
    url: '/api/sms/csvSend',
    headers: { ...headersOf({ bearer }), 'content-type': 'multipart/form-data; boundary=b' },
    payload:
      '--b\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\n\r\nphone,message\n61112222,hi\n',
  });
  expect(answer.json()).toMatchObject({ code: 'E_INVALID_REQUEST' });
  expect(await room.messagesOf(accountId)).toEqual([]);
});

test('a file in another field is told where it belongs', async () => {
  const { secret: bearer } = await customer();
  const answer = await app.inject({
    method: 'POST',
    url: '/api/sms/csvSend',
    headers: { ...headersOf({ bearer }), 'content-type': 'multipart/form-data; boundary=b' },
    payload:
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone,message\n61112222,hi\r\n--b--',
  });
  expect(answer.json()).toMatchObject({
    code: 'E_FILE_FIELD',
    message: 'Send one file, in the field "csv". It came in the field "file".',
  });
});

test('an upload that breaks off leaves nothing behind', async () => {
  const { accountId, secret } = await customer();
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /api/sms/csvSend HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${secret}\r\ncontent-length: 100000\r\n` +
      'content-type: multipart/form-data; boundary=b\r\n\r\n' +
      '--b\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\n\r\nphone,message\n61112222,hi\n',
  );
  await vi.waitFor(async () => expect((await readdir(folder)).length).toBe(0));
  socket.destroy();
  // Two run at the same time: if its slot were still taken, these would wait.
  for (let at = 0; at < 3; at++)
    expect(await upload(`phone,message\n61112222,${at}\n`, { bearer: secret })).toMatchObject({ http: 200 });
  expect(await room.messagesOf(accountId)).toEqual([]);
});

/** A form that begins, and then goes on as the test says. */
const openForm = (head: string, headers = '') => {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)));
  socket.write(
    `POST /api/sms/csvPreflight HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n${headers}` +
      'content-type: multipart/form-data; boundary=b\r\n\r\n',
  );
  const write = (text: string) => socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  if (head) write(head);
  return { socket, write, closed, answer: () => answer };
};
const FILE_PART =
  '--b\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\n\r\nphone,message\n';

test('a large file needs the secret before it, and a small one may bring it after', async () => {
  const { secret } = await customer();
  const large = `phone,message\n${'61112222,hello\n'.repeat(5_000)}`;
  const small = 'phone,message\n61112222,hello\n';
  expect(await upload(small, { fields: { secret } })).toMatchObject({ http: 200, accepted: 1 });
  expect(await upload(large, { fields: { secret } })).toMatchObject({
    http: 401,
    code: 'E_SECRET_FIRST',
    message:
      'A file of more than 64 KB needs the secret before it: in the Authorization header, or in a field before the file.',
  });
  expect(await upload(large, { bearer: secret })).toMatchObject({ http: 200, accepted: 1 });
  const form = new FormData();
  form.append('secret', secret);
  form.append('csv', new Blob([large]), 'people.csv');
  const first = await fetch(`http://127.0.0.1:${port}/api/sms/csvPreflight`, { method: 'POST', body: form });
  expect(first.status).toBe(200);
});

test('strangers who send nothing stop nobody’s files, and are cut off soon', async () => {
  const { secret: bearer } = await customer();
  const silent = Array.from({ length: 20 }, (_, at) => openForm(at % 2 ? FILE_PART : ''));
  // The first four of an address wait, the others are refused.
  await vi.waitFor(() => expect(silent.filter(({ answer }) => answer().includes(' 503 '))).toHaveLength(16), {
    timeout: 20_000,
  });
  for (const { socket } of silent) socket.write('');
  expect(await upload('phone,message\n61112222,a\n', { bearer })).toMatchObject({ http: 200 });
  for (const { closed } of silent) await closed;
  // Their places are free again.
  const { secret } = await customer();
  expect(await upload('phone,message\n61112222,b\n', { fields: { secret } })).toMatchObject({ http: 200 });
});

test('the files that one account sends at a time leave room for others', async () => {
  const { secret } = await customer();
  const slow = Array.from({ length: 6 }, () => openForm(FILE_PART, `authorization: Bearer ${secret}\r\n`));
  await vi.waitFor(() => expect(slow.filter(({ answer }) => answer().includes(' 503 '))).toHaveLength(2), {
    timeout: 20_000,
  });
  const { secret: bearer } = await customer();
  expect(await upload('phone,message\n61112222,a\n', { bearer })).toMatchObject({ http: 200 });
  for (const { socket } of slow) socket.destroy();
});

test('the texts of files with the test secret are limited by the day, refused rows too, and paid ones are not', async () => {
  const { accountId, secret, testSecret } = await customer();
  await accounts.limits.consume('test-text-account', accountId, 200_000 - 1);
  const rows = Array.from({ length: 40 }, (_, at) => `611122${at + 10},${'x'.repeat(30)}\n`).join('');
  const [long, wrong] = [`phone,message\n${rows}`, `phone,message\n${rows.replaceAll('611122', 'x')}`];
  for (const call of ['sms/csvPreflight', 'sms/csvSend'])
    for (const csv of [long, wrong])
      expect(await upload(csv, { bearer: testSecret, call }), call).toMatchObject({
        http: 429,
        code: 'E_TEST_TEXT_LIMIT',
      });
  expect(await counted('uploads', accountId)).toBe(0);
  expect(await room.messagesOf(accountId)).toEqual([]);
  const short = 'phone,message\n61112222,hello\n';
  expect(await upload(short, { bearer: testSecret, call: 'sms/csvSend' })).toMatchObject({ http: 200 });
  expect(await upload(long, { bearer: secret })).toMatchObject({ http: 200 });
});

test('files that arrive in drops lose their places', async () => {
  const { secret: bearer } = await customer();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const forms = Array.from({ length: 5 }, () => openForm(FILE_PART, `authorization: Bearer ${bearer}\r\n`));
    await vi.waitFor(() => expect(forms.filter(({ answer }) => answer().includes(' 503 '))).toHaveLength(1));
    for (const windows of [1, 2]) {
      for (const { write } of forms) write(String(windows));
      vi.advanceTimersByTime(30_000);
    }
    await vi.waitFor(() => expect(forms.every(({ socket }) => socket.closed)).toBe(true));
  } finally {
    vi.useRealTimers();
  }
  await vi.waitFor(async () =>
    expect(await upload('phone,message\n61112222,a\n', { bearer })).toMatchObject({ http: 200 }),
  );
});

test('nobody uploads without a valid secret or session; an unknown field is refused', async () => {
  const file = 'phone,message\n61112222,hi\n';
  expect(await upload(file, {})).toMatchObject({ http: 401, code: 'E_SECRET_MISSING' });
  expect(await upload(file, { bearer: 'ph_wrong' })).toMatchObject({ http: 401, code: 'E_SECRET_INVALID' });
  expect(await upload(file, { fields: { secret: 'ph_wrong' } })).toMatchObject({
    http: 401,
    code: 'E_SECRET_INVALID',
  });
  const { secret } = await customer();
  expect(await upload(file, { fields: { secret, extra: '1' } })).toMatchObject({
    http: 400,
    code: 'E_INVALID_REQUEST',
  });
  expect(await upload(file, { fields: { secret }, call: 'fax/csvSend' })).toMatchObject({ http: 400 });
});

test('the calls are in the API page', async () => {
  const { paths } = (await app.inject({ url: '/api/docs/json' })).json();
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      '/api/{channel}/csvSend',
      '/api/{channel}/csvPreflight',
      '/api/uploads/{uploadId}',
      '/api/uploads/{uploadId}/send',
      '/api/uploads/{uploadId}/refused.csv',
    ]),
  );
  expect(paths['/api/{channel}/csvSend'].post.requestBody.content['multipart/form-data']).toBeDefined();
});

test('an upload is its own account’s only, and may be cancelled', async () => {
  const { accountId, secret: bearer } = await customer();
  const other = await customer();
  const { _id } = await upload('phone,message\n61112222,hi\nx,y\n', { bearer });
  for (const [id, who] of [
    [_id, other.secret],
    [randomUUID(), bearer],
  ] as const)
    for (const call of ['GET', 'DELETE', 'POST'])
      expect(
        await ask(`${call} /uploads/${id}${call === 'POST' ? '/send' : ''}`, { bearer: who }),
      ).toMatchObject({ http: 404, code: 'E_NOT_FOUND' });
  expect(await ask(`GET /uploads/${_id}/refused.csv`, { bearer: other.secret })).toMatchObject({ http: 404 });
  expect(await ask(`GET /uploads/${_id}`, {})).toMatchObject({ http: 401 });
  expect(await ask(`DELETE /uploads/${_id}`, { bearer, language: 'zh-HK' })).toEqual({
    http: 200,
    message: '檔案已移除，沒有發送任何訊息。',
  });
  expect(await ask(`POST /uploads/${_id}/send`, { bearer })).toMatchObject({ http: 404 });
  expect(await counted('uploads', accountId)).toBe(0);
});

test('a file without any valid row has nothing to send', async () => {
  const { secret: bearer } = await customer();
  const { _id } = await upload('phone,message\nx,hi\n', { bearer });
  expect(await ask(`POST /uploads/${_id}/send`, { bearer })).toMatchObject({
    http: 400,
    code: 'E_UPLOAD_EMPTY',
  });
  expect(await upload('phone,message\nx,hi\n', { bearer, call: 'sms/csvSend' })).toMatchObject({
    http: 200,
    accepted: 0,
    batchId: null,
    state: 'READY',
  });
});

test('the refused rows come as a file that is safe to open, and that can come back', async () => {
  const { secret: bearer } = await customer();
  const file = 'phone,message,note\n+123,"Hi, you",=1+1\n+85261112222,,@x\n61112222,ok,\n';
  const { _id } = await upload(file, { bearer });
  const { headers, rawPayload } = await app.inject({
    url: `/api/uploads/${_id}/refused.csv`,
    headers: headersOf({ bearer }),
  });
  expect(headers['content-disposition']).toContain('refused.csv');
  const lines = rawPayload.toString('utf8').split('\r\n');
  expect(lines).toEqual([
    '\uFEFFRow,phone,message,note,Column,Reason',
    expect.stringMatching(/^2,\+123,"Hi, you",'=1\+1,phone,.*\+123/),
    expect.stringMatching(/^3,\+85261112222,,'@x,message,.*Message should not be empty/),
    '',
  ]);
  const corrected = rawPayload.toString('utf8').replace('12222,,', '12222,hello,');
  expect(await upload(corrected, { bearer })).toMatchObject({
    accepted: 1,
    refused: 1,
    sample: { phone: '+85261112222', message: 'hello' },
  });
});

test('what was not sent within a day is removed, what was sent stays to be known again', async () => {
  const { accountId, secret: bearer } = await customer();
  const old = await upload('phone,message\n61112222,old\nx,y\n', { bearer });
  const sent = await upload('phone,message\n61112222,sent\n', { bearer, call: 'sms/csvSend' });
  await sql`update uploads set created_at = now() - interval '25 hours'
    where account_id = ${accountId}`.execute(db);
  const fresh = await upload('phone,message\n61112222,fresh\n', { bearer });
  await uploadTasks({ db })['uploads.remove-old']?.run({}, new AbortController().signal);
  expect(await ask(`GET /uploads/${old._id}`, { bearer })).toMatchObject({ http: 404 });
  expect(await counted('upload_refusals', accountId)).toBe(0);
  for (const { _id } of [sent, fresh])
    expect(await ask(`GET /uploads/${_id}`, { bearer })).toMatchObject({ http: 200 });
});

test('of what is checked and never sent only the newest ten are kept', async () => {
  const { accountId, secret: bearer } = await customer();
  for (let at = 0; at < 12; at++) await upload(`phone,message\n61112222,${at}\n`, { bearer });
  expect(await counted('uploads', accountId)).toBe(10);
});

const SAMPLES = fileURLToPath(new URL('../../../web/public/samples', import.meta.url));

test.each(readdirSync(SAMPLES).filter((name) => name.endsWith('.csv')))(
  'the sample file %s can be sent as it is, and greets by name',
  async (name) => {
    const { token: bearer } = await customer();
    const [channel = ''] = name.split('.');
    const call = `${channel}/csvPreflight`;
    const file = await readFile(join(SAMPLES, name));
    for (const countryCode of ['HK', 'SG'])
      expect(await upload(file, { bearer, call, fields: { countryCode } })).toMatchObject({
        http: 200,
        header: true,
        rows: 3,
        accepted: 3,
        refusals: [],
        sample: { message: expect.not.stringContaining('{{') },
      });
    expect(file.toString('utf8')).toMatch(/^\uFEFF(phone|email),name,/);
  },
);

test('an email of a file may have HTML, and what fills it is no markup', async () => {
  const { accountId, token: bearer } = await customer();
  const call = 'email/csvPreflight';
  const file =
    'email,name,html\na@example.com,<b>Ann & Co</b>,"<p title=""{{name}}"">Hi {{name}}</p>"\nb@example.com,Bob,';
  const checked = await upload(file, { bearer, call });
  const html = '<p title="&lt;b&gt;Ann &amp; Co&lt;/b&gt;">Hi &lt;b&gt;Ann &amp; Co&lt;/b&gt;</p>';
  expect(checked).toMatchObject({
    accepted: 1,
    sample: { phone: 'a@example.com', message: html },
    refusals: [{ row: 3, code: 'E_MESSAGE_EMPTY' }],
  });
  await ask(`POST /uploads/${checked._id}/send`, { bearer });
  expect(await room.messagesOf(accountId)).toMatchObject([{ message: '', html }]);

  const fields = { message: 'Hi {{name}}', html: '<i>{{name}}</i>' };
  const names = 'email,name\na@example.com,R&D\n';
  await upload(names, { bearer, call: 'email/csvSend', fields });
  expect((await room.messagesOf(accountId)).at(-1)).toMatchObject({
    message: 'Hi R&D',
    html: '<i>R&amp;D</i>',
  });
  expect(await upload(names, { bearer, call, fields: { html: '{{other}}' } })).toMatchObject({
    http: 400,
    code: 'E_CSV_NO_COLUMN',
  });
  expect(await upload('phone,html\n61112222,x', { bearer })).toMatchObject({ code: 'E_CSV_NO_MESSAGE' });
  expect(await upload('phone\n61112222', { bearer, fields })).toMatchObject({ code: 'E_EMAIL_ONLY' });
});
