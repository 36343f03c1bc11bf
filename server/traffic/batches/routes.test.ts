import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Batch } from '../../../contract/traffic/batches.ts';
import type { MessageStatus } from '../../../contract/traffic/messages.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { findSession, logIn, openSenderSearch } from '../../customer/accounts/index.ts';
import { readPhoneHosts } from '../../fleet/phones/index.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { messageFiles, messageRoutes, statusRoutes } from '../messages/index.ts';
import { cancelRoutes } from '../outbox/index.ts';
import { csvUploads, uploadRoutes } from '../uploads/index.ts';
import { batchFiles, batchListRoutes, batchRoutes } from './routes.ts';
import { countDue } from './tallies.ts';
import { batchTasks } from './tasks.ts';

const room = await openTestMessages();
const { db, customer } = room;
await room.addLane({ name: 'sms', channel: 'sms' });
await room.addLane({ name: 'email', channel: 'email' });
// Only the database can be told so: the calls refuse a price of nothing.
await sql`insert into prices (channel, country, unit_micros) values ('sms', 'CA', 0)`.execute(db);
const messages = await room.open();
const folder = await mkdtemp(join(tmpdir(), 'posthorn-batches-'));
const app = fastify();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
registerRoutes(
  app,
  [
    { guard: 'sender', routes: uploadRoutes(messages), uploads: csvUploads(messages, folder) },
    { guard: 'sender', routes: batchRoutes(messages), files: batchFiles(messages) },
    { guard: 'sender', routes: cancelRoutes({ db, queue: room.deps.queue }) },
    { guard: 'sender', routes: statusRoutes(messages) },
    { guard: 'customer', routes: batchListRoutes(messages) },
    {
      guard: 'customer',
      routes: messageRoutes({ ...messages, readPhoneHosts }),
      files: messageFiles(messages),
    },
  ],
  {
    findSession: (token: string) => findSession(db, token),
    findSender: openSenderSearch(db),
    limits: room.accounts.limits,
  },
);
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as { port: number };
afterAll(async () => {
  await app.close();
  expect(await room.differing()).toEqual([]);
  await rm(folder, { recursive: true });
  await room.close();
});

const PRICE = 0.032051;

interface Told {
  http: number;
  text: string;
  _id: string;
  batchId: string;
  fileName: string;
  price: number;
  repeated: boolean;
  secondsLeft: number | null;
}
const ask = async (call: string, bearer: string): Promise<Told> => {
  const [method, path] = call.split(' ') as ['GET' | 'POST', string];
  const answer = await app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${bearer}` },
  });
  const text = answer.body;
  return { http: answer.statusCode, text, ...(text.startsWith('{') && JSON.parse(text)) };
};
const send = async (bearer: string, csv: string, { call = 'sms/csvSend', fields = {} } = {}) => {
  const form = new FormData();
  form.append('csv', new Blob([csv]), 'people.csv');
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  const answer = await fetch(`http://127.0.0.1:${port}/api/${call}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    body: form,
  });
  return (await answer.json()) as { _id: string; batchId: string };
};
const FILE = ['phone,message', ...[1, 2, 3, 4, 5].map((n) => `6111222${n},hello ${n}`)].join('\n');

/** What became of the messages of a batch, in the order of the file; the carrier's answers are not needed for it. */
const settle = async (batchId: string, outcomes: MessageStatus[]): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select id from messages where batch_id = ${batchId} order by id`.execute(db);
  for (const [at, status] of outcomes.entries())
    await sql`update messages set status = ${status}, sent_at = now(), updated_at = now(),
        delivered_at = case when ${status} = 'SUCCESS' then now() end,
        error_code = case when ${status} = 'FAILED' then 'SIM_REFUSED' else '' end
      where id = ${rows[at]?.id}`.execute(db);
};
const listed = async (accountId: AccountId, token: string, query = '') =>
  (await ask(`GET /account/${accountId}/batches${query}`, token)) as unknown as {
    http: number;
    batches: Batch[];
    total: number;
  };

test('a file is listed with who sent it, what became of it and what it cost', async () => {
  const { accountId, token, secret } = await customer();
  const { batchId } = await send(token, FILE);
  await settle(batchId, ['SUCCESS', 'FAILED', 'FAILED_WITH_EXCEPTION', 'CANCELLED']);
  const { batches, total } = await listed(accountId, token);
  expect(total).toBe(1);
  expect(batches[0]).toEqual({
    _id: batchId,
    accountId,
    email: null,
    channel: 'sms',
    kind: 'CSV',
    fileName: 'people.csv',
    byPage: true,
    test: false,
    createdAt: expect.any(String),
    sendAt: null,
    cancelledAt: null,
    total: 5,
    price: 5 * PRICE,
    // What failed or was cancelled is refunded.
    cost: 0.096153,
    counts: { PENDING: 1, SUCCESS: 1, FAILED: 1, FAILED_WITH_EXCEPTION: 1, CANCELLED: 1 },
    delivered: 1,
    countedAt: expect.any(String),
    secondsLeft: null,
  });
  await send(secret, `${FILE}\n61119999,by a program`);
  expect((await listed(accountId, token)).batches.map(({ byPage }) => byPage)).toEqual([false, true]);
  expect(await listed(accountId, token, '?limit=1&skip=1')).toMatchObject({
    batches: [{ _id: batchId }],
    total: 2,
  });
});

test('files are shown to their account only, and to admins with its address', async () => {
  const owner = await customer();
  const { batchId } = await send(owner.token, FILE);
  const other = await customer();
  expect(await listed(other.accountId, other.token)).toMatchObject({ batches: [], total: 0 });
  expect(await listed(owner.accountId, other.token)).toMatchObject({ http: 404 });
  expect(await listed(other.accountId, other.token, `?_id=${batchId}`)).toMatchObject({ http: 404 });
  for (const path of ['failed.csv', '']) {
    const answer = await ask(`GET /batches/${batchId}/${path}`.replace(/\/$/, ''), other.token);
    expect(answer.http).toBe(404);
  }
  expect(await ask(`POST /batches/${batchId}/resend`, other.token)).toMatchObject({ http: 404 });
  const account = await room.activeAccount({ admin: true });
  const { token } = await logIn(room.accounts, account);
  const seen = (await listed(account.accountId, token)).batches.find(({ _id }) => _id === batchId);
  expect(seen?.email).toMatch(/@/);
  expect(await listed(account.accountId, token, `?_id=${batchId}`)).toMatchObject({
    batches: [{ accountId: owner.accountId }],
  });
});

test('the time left follows the measured pace, and nothing is claimed without one', async () => {
  const { accountId, token } = await customer();
  await room.addMoney(accountId, 9);
  const rows = Array.from({ length: 100 }, (_, n) => `61112${String(n).padStart(3, '0')},hello`);
  const { batchId } = await send(token, ['phone,message', ...rows].join('\n'));
  const left = async () => (await ask(`GET /batches/${batchId}`, token)).secondsLeft;
  expect(await left()).toBeNull();
  // Forty in twenty seconds: two a second, and sixty wait.
  await sql`update messages m set status = 'SUCCESS', sent_at = now() - interval '0.5 s' * place
    from (select id, row_number() over (order by id) as place from messages where batch_id = ${batchId}) p
    where m.id = p.id and place <= 40`.execute(db);
  expect(await left()).toBeGreaterThan(28);
  expect(await left()).toBeLessThan(34);
  // Half of them wait for a receipt only.
  await sql`update messages m set unknown_since = now()
    from (select id, row_number() over (order by id) as place from messages where batch_id = ${batchId}) p
    where m.id = p.id and place > 70`.execute(db);
  expect(await left()).toBeLessThan(17);
  // Then nothing moves any more, as when the carrier is down.
  await sql`update messages set sent_at = sent_at - interval '11 s' where batch_id = ${batchId}`.execute(db);
  expect(await left()).toBeNull();
});

test('the messages of a file are found, counted and exported by it, however old it is', async () => {
  const { accountId, token } = await customer();
  const { batchId } = await send(token, FILE);
  await send(token, `${FILE}\n61119999,another file`);
  await settle(batchId, ['SUCCESS', 'FAILED', 'FAILED']);
  // The days that are asked for do not matter.
  const search = async (query: string) => {
    const path = `/account/${accountId}/messages?dateFrom=2020-01-01&dateTo=2020-01-02&batchId=${batchId}${query}`;
    const { messages: found, total } = (await ask(`GET ${path}`, token)) as unknown as {
      messages: { message: string; batchId: string }[];
      total: number;
    };
    return { texts: found.map(({ message }) => message), total };
  };
  const all = ['hello 5', 'hello 4', 'hello 3', 'hello 2', 'hello 1'];
  expect(await search('')).toEqual({ texts: all, total: 5 });
  expect(await search('&limit=2&skip=2')).toEqual({ texts: all.slice(2, 4), total: 5 });
  expect(await search('&status=FAILED')).toEqual({ texts: ['hello 3', 'hello 2'], total: 2 });
  expect(await search('&delivered=true')).toEqual({ texts: ['hello 1'], total: 1 });
  expect(await search('&message=LO%204')).toEqual({ texts: ['hello 4'], total: 1 });
  const csv = await ask(`GET /account/${accountId}/messages.csv?batchId=${batchId}`, token);
  expect(csv.text.match(/hello \d/g)).toEqual(all);
  const other = await customer();
  const path = `/account/${other.accountId}/messages?batchId=${batchId}`;
  expect(await ask(`GET ${path}`, other.token)).toMatchObject({ messages: [], total: 0 });
  expect((await ask(`GET ${path.replace('?', '.csv?')}`, other.token)).text).not.toContain('hello');
});

test('what waits for its time is found, whatever days are asked for', async () => {
  const { accountId, token } = await customer();
  const later = await send(token, FILE, { fields: { sendAt: '2027-06-01T10:00' } });
  await send(token, `${FILE}\n61119999,now`);
  const found = async () => {
    const path = `/account/${accountId}/messages?scheduled=true&dateFrom=2020-01-01&dateTo=2020-01-02`;
    const { messages: some, total } = (await ask(`GET ${path}`, token)) as unknown as {
      messages: { batchId: string; sendAt: string }[];
      total: number;
    };
    return { batches: [...new Set(some.map(({ batchId }) => batchId))], sendAt: some[0]?.sendAt, total };
  };
  expect(await found()).toEqual({
    batches: [later.batchId],
    sendAt: '2027-06-01T02:00:00.000Z',
    total: 5,
  });
  expect((await listed(accountId, token)).batches[1]).toMatchObject({
    sendAt: '2027-06-01T02:00:00.000Z',
    secondsLeft: null,
  });
  await ask(`POST /batches/${later.batchId}/cancel`, token);
  expect(await found()).toMatchObject({ total: 0 });
});

test('the failed rows are a file that can be uploaded again', async () => {
  const { token, testSecret } = await customer();
  const { batchId } = await send(token, FILE);
  await settle(batchId, ['SUCCESS', 'FAILED', 'FAILED_WITH_EXCEPTION', 'FAILED']);
  const { http, text } = await ask(`GET /batches/${batchId}/failed.csv`, token);
  expect(http).toBe(200);
  const [head, ...lines] = text.trimEnd().split('\r\n');
  expect(head).toBe('\uFEFFmessage id,phone,message,identifier,reason,error code');
  expect(lines.map((line) => line.split(',').slice(1, 3))).toEqual([
    ['61112222', 'hello 2'],
    ['61112224', 'hello 4'],
  ]);
  expect(lines[0]).toContain('SIM_REFUSED');
  expect(await send(token, text, { call: 'sms/csvPreflight' })).toMatchObject({ accepted: 2, refused: 0 });
  expect(await ask(`GET /batches/${batchId}/failed.csv`, testSecret)).toMatchObject({ http: 404 });
});

test('failed rows that look like formulas are text to a spreadsheet, and the same messages when they come back', async () => {
  const { accountId, token } = await customer();
  const texts = ['=1+1', 'a;=1+1', 'a\n=1+1', '＝1+1', '-5', ';"=1+1', "it's"];
  const rows = texts.map((text, at) => `6111222${at},"${text.replaceAll('"', '""')}"`);
  const { batchId } = await send(token, ['phone,message', ...rows].join('\n'));
  await settle(
    batchId,
    texts.map(() => 'FAILED'),
  );
  const { text: file } = await ask(`GET /batches/${batchId}/failed.csv`, token);
  expect(file).toContain(`,61112221,"'a;'=1+1",`);
  const { _id } = await send(token, file, { call: 'sms/csvPreflight' });
  const again = await ask(`POST /uploads/${_id}/send`, token);
  const sent = (await room.messagesOf(accountId)).filter((row) => row.batch_id === again.batchId);
  expect(sent.map(({ message }) => message)).toEqual(texts);
});

test('what failed is sent again once, at the price that was shown, by the checks of a file', async () => {
  const { accountId, token } = await customer();
  const { batchId } = await send(token, FILE);
  await settle(batchId, ['FAILED', 'FAILED', 'FAILED_WITH_EXCEPTION', 'SUCCESS', 'CANCELLED']);
  const quote = () => ask(`POST /batches/${batchId}/resend`, token);
  const checked = await quote();
  expect(checked).toMatchObject({ http: 200, state: 'READY', repeated: false, rows: 2 });
  expect(checked.fileName).toBe('people.csv (failed rows)');
  const before = await room.balance(accountId);
  // Asking again replaces the first answer: only one can be sent.
  const again = await quote();
  expect(again).toMatchObject({ rows: 2, price: checked.price });
  expect(await ask(`POST /uploads/${checked._id}/send`, token)).toMatchObject({ http: 404 });
  expect(await room.balance(accountId)).toBe(before);
  const [one, two] = await Promise.all([1, 2].map(() => ask(`POST /uploads/${again._id}/send`, token)));
  expect([one?.repeated, two?.repeated].toSorted()).toEqual([false, true]);
  expect(one?.batchId).toBe(two?.batchId);
  const resent = (await room.messagesOf(accountId)).filter((row) => row.batch_id === one?.batchId);
  expect(resent.map(({ message }) => message)).toEqual(['hello 1', 'hello 2']);
  expect(await room.balance(accountId)).toBe(before - 64_102n);
  expect(await quote()).toMatchObject({ http: 409, code: 'E_NONE_FAILED' });
  // What fails later may be sent again too, and only that.
  await sql`update messages set status = 'FAILED' where batch_id = ${batchId} and message = 'hello 4'`.execute(
    db,
  );
  expect(await quote()).toMatchObject({ rows: 1, accepted: 1, price: PRICE, sample: { message: 'hello 4' } });
});

test('a row that is refused by now is left out of what is sent again, with the reason', async () => {
  const { accountId, token } = await customer();
  const { batchId } = await send(token, FILE);
  await settle(batchId, ['FAILED', 'FAILED']);
  await sql`insert into opt_outs (account_id, channel, recipient, source)
    values (${accountId}, 'sms', '+85261112221', 'MANUAL')`.execute(db);
  expect(await ask(`POST /batches/${batchId}/resend`, token)).toMatchObject({
    rows: 2,
    accepted: 1,
    optedOut: 1,
    price: PRICE,
    refusals: [{ code: 'E_OPTED_OUT' }],
  });
});

test('failed messages of an old file, of single calls and of a test are refused or free', async () => {
  const { token, secret, testSecret } = await customer();
  const { batchId } = await send(secret, FILE);
  await settle(batchId, ['FAILED']);
  expect(await ask(`POST /batches/${batchId}/resend`, testSecret)).toMatchObject({ http: 404 });
  await sql`update batches set created_at = created_at - interval '31 days' where id = ${batchId}`.execute(
    db,
  );
  expect(await ask(`POST /batches/${batchId}/resend`, token)).toMatchObject({ code: 'E_BATCH_TOO_OLD' });
  expect(await ask(`POST /batches/${randomUUID()}/resend`, token)).toMatchObject({ http: 404 });
});

test('a real file at a price of nothing is no test: the test secret can’t touch it, and it is sent again for real', async () => {
  const { accountId, token, testSecret } = await customer();
  const { batchId } = await send(token, 'phone,message\n+14165550100,hello');
  expect(await room.messagesOf(accountId)).toMatchObject([{ test: false, price_micros: 0n }]);
  const [message] = await room.messagesOf(accountId);
  for (const call of [
    `GET /batches/${batchId}`,
    `GET /messages/${message?.id}`,
    `POST /batches/${batchId}/cancel`,
    `POST /messages/${message?.id}/cancel`,
    `POST /batches/${batchId}/resend`,
  ])
    expect(await ask(call, testSecret), call).toMatchObject({ http: 404 });
  await settle(batchId, ['FAILED']);
  const checked = await ask(`POST /batches/${batchId}/resend`, token);
  expect(checked).toMatchObject({ http: 200, test: false, rows: 1 });
  await ask(`POST /uploads/${checked._id}/send`, token);
  expect(await room.messagesOf(accountId)).toMatchObject([{ test: false }, { test: false }]);
});

test('large files are counted in the background, and exactly when one is opened', async () => {
  const { accountId, token } = await customer();
  const { batchId } = await send(token, FILE);
  // As if it were large: nobody needs thousands of rows for this.
  await sql`update batches set accepted = 6000 where id = ${batchId}`.execute(db);
  const counts = async () => (await listed(accountId, token)).batches[0]?.counts;
  expect(await counts()).toMatchObject({ PENDING: 5, FAILED: 0 });
  await settle(batchId, ['FAILED']);
  expect(await counts()).toMatchObject({ PENDING: 5, FAILED: 0 });
  await sql`update batch_tallies set counted_at = now() - interval '1 minute'`.execute(db);
  await countDue(db, AbortSignal.timeout(10_000));
  expect(await counts()).toMatchObject({ PENDING: 4, FAILED: 1 });
  await settle(batchId, ['FAILED', 'FAILED']);
  // A page that looks often does not count as often.
  await sql`update batches set accepted = 60 * 60 * 50000 where id = ${batchId}`.execute(db);
  expect(await ask(`GET /batches/${batchId}`, token)).toMatchObject({ counts: { PENDING: 4, FAILED: 1 } });
  await sql`update batch_tallies set counted_at = now() - interval '61 minutes'`.execute(db);
  expect(await listed(accountId, token, `?_id=${batchId}`)).toMatchObject({
    batches: [{ counts: { PENDING: 3, FAILED: 2 } }],
  });
  expect(await counts()).toMatchObject({ PENDING: 3, FAILED: 2 });
});

test('marks of messages that were sent again are removed after their time', async () => {
  await sql`insert into resent_messages (message_id, resent_at)
    values (gen_random_uuid(), now() - interval '40 days')`.execute(db);
  const { rows: before } =
    await sql`select from resent_messages where resent_at < now() - interval '31 days'`.execute(db);
  expect(before).toHaveLength(1);
  await batchTasks({ db })['batches.remove-old']?.run({}, AbortSignal.timeout(1_000));
  const { rows } =
    await sql`select from resent_messages where resent_at < now() - interval '31 days'`.execute(db);
  expect(rows).toEqual([]);
});
