import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { MESSAGES_MAX_LIMIT } from '../../../contract/traffic/message-search.ts';
import { openLiveMemory } from '../../../test/live-memory.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { readPhoneHosts } from '../../fleet/phones/index.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { walkMessages } from './export/walk-messages.ts';
import { type MessageFilesDeps, messageFiles } from './file-routes.ts';
import { messageRoutes } from './routes.ts';
import { readFilter } from './search/read-search.ts';

const room = await openTestMessages();
const { db } = room;
const ROWS = 400;
/** Small, so that a few rows are many pages. */
const PAGE_SIZE = 23;

/** The token is the account's id; an admin's has a star. */
const guards = {
  findSession: async (token: string) => ({
    accountId: token.replace('*', '') as AccountId,
    admin: token.endsWith('*'),
    sessionHash: Buffer.alloc(32),
  }),
  findSender: async () => undefined,
  limits: { ...room.accounts.limits, consume: async () => {} },
};
const openApp = (files: MessageFilesDeps) => {
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyWithError);
  registerRoutes(
    app,
    [{ guard: 'customer', routes: messageRoutes({ db, readPhoneHosts }), files: messageFiles(files) }],
    guards,
  );
  return app;
};
const app = openApp({ db, pageSize: PAGE_SIZE });

let accounts: [AccountId, AccountId];
/** Whole bursts at one moment, and moments that differ only by a microsecond. */
const fill = (accountId: AccountId, count: number, laneId: number, days = 5) =>
  sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, sender, message,
      segment, price_micros, test, created_at, updated_at, carrier, country)
    select gen_random_uuid(), ${accountId}, ${laneId}, (array['sms', 'whatsapp', 'email'])[1 + n % 3],
      case when n % 5 = 0 then 'incoming' else 'outgoing' end,
      (array['PENDING', 'SUCCESS', 'SUCCESS', 'FAILED', 'CANCELLED'])[1 + n % 5], to_party, to_party,
      case when n % 5 = 0 then to_party end,
      (array['Hello WORLD', 'two' || chr(13) || chr(10) || 'lines, "quoted"', '=1+1', '你好，世界', ''])[1 + n % 5],
      1, 32051, n % 7 = 0, at, at, (select nullif(carrier, '') from lanes where id = ${laneId}),
      (array['HK', 'SG'])[1 + n % 2]
    from (
      select n, '+8526' || lpad((n % 40)::text, 7, '1') as to_party,
        now() - make_interval(secs => (n / 90) * ${(days * 86_400 * 90) / count}::float8)
          - make_interval(secs => (n % 3) * 0.000001::float8) as at
      from generate_series(1, ${count}::int) n
    ) made`.execute(db);

beforeAll(async () => {
  const lanes = [
    await room.addLane({ name: 'first', channel: 'sms', carrier: 'HKT' }),
    await room.addLane({ name: 'second', channel: 'sms' }),
  ] as const;
  // Ways out of phones, so that they are found by them.
  await sql`update lanes set source = 'phone', phone_id = gen_random_uuid(), phone_name = name, method = 'gammu'`.execute(
    db,
  );
  accounts = [await room.funded(), await room.funded()];
  await fill(accounts[0], ROWS, lanes[0]);
  await fill(accounts[1], ROWS / 2, lanes[1]);
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await room.close();
});

type Asked = Record<string, string>;
const ask = (path: string, query: Asked, token: string, language = 'en-US') =>
  app.inject({
    url: `/api/account/${token.replace('*', '')}/${path}?${new URLSearchParams(query)}`,
    headers: { authorization: token, 'accept-language': language },
  });
const rowsOf = (csv: string): Record<string, string>[] =>
  parse(csv, { bom: true, columns: true, relax_column_count: false });

/** Over all pages of the list. */
const listed = async (query: Asked, token: string): Promise<Record<string, unknown>[]> => {
  const messages: Record<string, unknown>[] = [];
  for (;;) {
    const page = { limit: String(MESSAGES_MAX_LIMIT), skip: String(messages.length) };
    const answer = await ask('messages', { ...query, ...page }, token);
    expect(answer.statusCode).toBe(200);
    const { messages: more, total } = answer.json();
    messages.push(...more);
    if (messages.length >= total || more.length === 0) return messages;
  }
};

test('whatever the filters, the file has the very rows of the list, in its order', {
  timeout: 240_000,
}, async () => {
  const day = fc
    .integer({ min: -7, max: 1 })
    .map((by) => new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10));
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
  const forAll = {
    dateFrom: maybe(day),
    dateTo: maybe(day),
    status: maybe(fc.constantFrom('PENDING', 'SUCCESS', 'FAILED', 'CANCELLED', 'Any')),
    channel: maybe(fc.constantFrom('sms', 'whatsapp', 'email', '')),
    type: maybe(fc.constantFrom('incoming', 'outgoing')),
    phoneNumber: maybe(fc.constantFrom('6', '61', '6111 1117', 'nobody')),
    country: maybe(fc.constantFrom('HK', 'SG', 'US')),
    message: maybe(fc.constantFrom('world', '你好', 'lines, "', '1+1', '%')),
  };
  const forAdmins = {
    accountId: maybe(fc.constantFrom(...accounts)),
    carrierNames: maybe(fc.constantFrom('HKT', 'HKT,SmarTone')),
    phoneId: maybe(fc.constantFrom('first', 'second')),
    method: maybe(fc.constantFrom('gammu', 'sim-web')),
  };
  const question = fc.oneof(
    fc.record({ token: fc.constantFrom<string>(...accounts), query: fc.record(forAll) }),
    fc.record({ token: fc.constant(`${accounts[0]}*`), query: fc.record({ ...forAll, ...forAdmins }) }),
  );
  let most = 0;
  await fc.assert(
    fc.asyncProperty(question, async ({ token, query }) => {
      const asked = JSON.parse(JSON.stringify(query)) as Asked;
      const file = await ask('messages.csv', asked, token);
      expect(file.statusCode).toBe(200);
      const exported = rowsOf(file.body);
      const expected = await listed(asked, token);
      expect(exported.map((row) => row['Message ID'])).toEqual(expected.map(({ _id }) => _id));
      expect(exported.map((row) => row.Status)).toEqual(expected.map(({ status }) => status));
      most = Math.max(most, exported.length);
    }),
    // One of them without any filter.
    { numRuns: 40, examples: [[{ token: accounts[0], query: {} as never }]] },
  );
  expect(most).toBeGreaterThan(PAGE_SIZE * 10);
});

test('the file names the contact of each number, as its own account calls it', async () => {
  const [own, other] = accounts;
  const { rows } = await sql<{ id: string; party: string }>`
    select id, case when type = 'incoming' then sender else recipient end as party from messages
    where account_id = ${own} order by created_at limit 1`.execute(db);
  const { id = '', party = '' } = rows[0] ?? {};
  await sql`insert into contacts (account_id, channel, recipient, name) values
    (${own}, 'sms', ${party}, 'Kwan Mei Ling'), (${other}, 'sms', ${party}, 'Another’s name')
    on conflict (account_id, recipient) do update set name = excluded.name`.execute(db);
  const [row] = rowsOf((await ask('messages.csv', { _id: id }, own)).body);
  expect(row?.Contact).toBe('Kwan Mei Ling');
  await sql`delete from contacts where account_id in (${own}, ${other})`.execute(db);
  expect(rowsOf((await ask('messages.csv', { _id: id }, own)).body)[0]?.Contact).toBe('');
});

test('a message is found by its id, whatever the days', async () => {
  const [own] = accounts;
  const { rows } = await sql<{ id: string }>`
    select id from messages where account_id = ${own} order by created_at limit 1`.execute(db);
  const id = rows[0]?.id ?? '';
  const days = { dateFrom: '2020-01-01', dateTo: '2020-01-02' };
  const file = await ask('messages.csv', { _id: id, ...days }, own);
  expect(rowsOf(file.body).map((row) => row['Message ID'])).toEqual([id]);
  expect(rowsOf((await ask('messages.csv', { _id: id }, accounts[1])).body)).toEqual([]);
});

test("cells are safe in a spreadsheet, times are the account's own, titles the reader's", async () => {
  const [own] = accounts;
  await sql`update accounts set time_zone = 'America/New_York' where id = ${own}`.execute(db);
  const file = await ask('messages.csv', {}, own, 'zh-HK');
  await sql`update accounts set time_zone = 'Asia/Hong_Kong' where id = ${own}`.execute(db);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toBe('attachment; filename="messages.csv"');
  expect(file.headers['cache-control']).toBe('no-store');
  expect(file.body.startsWith('\uFEFF訊息編號,建立時間,')).toBe(true);
  const [first] = rowsOf(file.body);
  const { rows } = await sql<{ at: string }>`
    select to_char(created_at at time zone 'America/New_York', 'YYYY-MM-DD HH24:MI:SS') as at
    from messages where account_id = ${own} order by created_at desc, id desc limit 1`.execute(db);
  expect(first?.建立時間).toBe(rows[0]?.at);
  const texts = new Set(rowsOf(file.body).map((row) => row.訊息));
  expect(texts).toEqual(new Set(['Hello WORLD', 'two\r\nlines, "quoted"', "'=1+1", '你好，世界', '']));
  expect(first?.收件人).toMatch(/^\+8526\d{7}$/);
  expect(first?.價格).toBe('0.032051');
  expect(file.body).not.toContain('帳戶編號');
});

test('only an admin gets the accounts and what is theirs to see', async () => {
  const [own, other] = accounts;
  const file = await ask('messages.csv', {}, `${own}*`);
  const rows = rowsOf(file.body);
  expect(new Set(rows.map((row) => row['Account ID']))).toEqual(new Set(accounts));
  expect(rows[0]).toHaveProperty('Provider', 'test');
  const one = rowsOf((await ask('messages.csv', { accountId: other }, `${own}*`)).body);
  expect(one).toHaveLength(ROWS / 2);
});

test('others, strangers and nonsense are refused before a file begins', async () => {
  const [own, other] = accounts;
  const foreign = await app.inject({
    url: `/api/account/${other}/messages.csv`,
    headers: { authorization: own },
  });
  expect(foreign.statusCode).toBe(404);
  expect((await app.inject(`/api/account/${own}/messages.csv`)).statusCode).toBe(401);
  for (const query of [{ accountId: other }, { provider: 'smpp' }, { carrierNames: 'HKT' }] as Asked[])
    expect((await ask('messages.csv', query, own)).statusCode).toBe(403);
  for (const query of [{ dateFrom: 'x' }, { status: 'LOST' }, { limit: '5' }] as Asked[])
    expect((await ask('messages.csv', query, own)).json().code).toBe('E_INVALID_REQUEST');
});

/** Long texts, so that the sockets in between hold only a small part of the file. */
const openBigFile = async () => {
  const big = await room.funded();
  const laneId = await room.addLane({ name: `lane of ${big}`, channel: 'sms' });
  await fill(big, BIG, laneId);
  await sql`update messages set message = repeat('long text ', 300) where account_id = ${big}`.execute(db);
  let questions = 0;
  const unanswered = new Set<object>();
  const served = openApp({
    db: db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        questions += 1;
        unanswered.add(queryId);
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        unanswered.delete(queryId);
        return result;
      },
    }),
  });
  await served.listen({ host: '127.0.0.1', port: 0 });
  let socket: Socket | undefined;
  served.server.once('connection', (opened) => {
    socket = opened;
  });
  const { port } = served.server.address() as { port: number };
  const path = `/api/account/${big}/messages.csv`;
  const request = get({ host: '127.0.0.1', port, path, headers: { authorization: big }, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  /**
   * The count once nothing more can be written, every query has been answered, and none followed while the database
   * answered others.
   */
  const settledQuestions = async (): Promise<number> => {
    for (let [still, before] = [0, -1]; still < 20; ) {
      await sql`select 1`.execute(db);
      const isFull = socket?.destroyed || socket?.writableNeedDrain;
      still = isFull && unanswered.size === 0 && questions === before ? still + 1 : 0;
      before = questions;
    }
    return questions;
  };
  return { answer, settledQuestions, close: () => served.close() };
};
const BIG = 50_000;
/** Queries for this many rows, besides the first ones. */
const BIG_PAGES = BIG / 1_000;
const LONG = { timeout: 120_000 };

const LOOK_EVERY_BYTES = 10_000_000;
/** A few pages of three megabytes each, in several forms. */
const MOST_BYTES = 40_000_000;

test('fifty thousand rows pass through in little memory', LONG, async () => {
  const memory = openLiveMemory(MOST_BYTES);
  const { answer, close } = await openBigFile();
  let lines = 0;
  let bytes = 0;
  let looks = 0;
  let peak = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    lines += chunk.toString('latin1').split('\n').length - 1;
    bytes += chunk.length;
    if (bytes < looks * LOOK_EVERY_BYTES) continue;
    looks += 1;
    peak = Math.max(peak, memory.grownBytes());
  }
  await close();
  expect(lines).toBe(BIG + 1);
  expect(bytes).toBeGreaterThan(150_000_000);
  expect(looks).toBeGreaterThan(10);
  expect(peak).toBeLessThan(MOST_BYTES);
});

test('a slow reader is not read ahead of, and one who goes away is not read for', LONG, async () => {
  const { answer, settledQuestions, close } = await openBigFile();
  await once(answer, 'readable');
  const ahead = await settledQuestions();
  expect(ahead).toBeLessThan(BIG_PAGES / 2);
  answer.destroy();
  expect(await settledQuestions()).toBeLessThan(ahead + 3);
  await close();
});

test('a file that breaks off in the middle does not end like a whole one', LONG, async () => {
  const { answer, settledQuestions, close } = await openBigFile();
  await once(answer, 'readable');
  await settledQuestions();
  await sql`alter table messages rename to messages_away`.execute(db);
  try {
    const read = async () => {
      for await (const _ of answer);
    };
    await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(answer.complete).toBe(false);
  } finally {
    await sql`alter table messages_away rename to messages`.execute(db);
    await close();
  }
});

test('long texts come in smaller pages, and none is left out', async () => {
  const accountId = await room.funded();
  const LONG_ROWS = 120;
  await sql`insert into messages (id, account_id, channel, type, status, recipient_raw, recipient, message, price_micros,
      created_at, updated_at)
    select gen_random_uuid(), ${accountId}, 'sms', 'outgoing', 'SUCCESS', '6123', '+85261234567',
      n || repeat('x', 19990), 0, now() - (n / 40) * interval '1 second', now()
    from generate_series(1, ${LONG_ROWS}) n`.execute(db);
  const { search } = await readFilter(db, { accountId, admin: false, sessionHash: Buffer.alloc(0) }, {});
  const texts: string[] = [];
  for await (const text of walkMessages(db, { search }, ({ message }) => message)) texts.push(text);
  expect(texts.join('').match(/\d+x/g)).toHaveLength(LONG_ROWS);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(1_100_000);
});
