import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { RawNode, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openTestMessages } from '../../../../test/messages.ts';
import { readPhoneHosts } from '../../../fleet/phones/index.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { newId } from '../../../ground/postgres/index.ts';
import { replyWithError } from '../../../http/error-reply.ts';
import { registerRoutes } from '../../../http/registering/register-routes.ts';
import { walkMessages } from '../export/walk-messages.ts';
import { type ListDeps, messageRoutes } from '../routes.ts';
import { inTime } from './in-time.ts';
import { searchMessages } from './search.ts';
import type { Search } from './search-store.ts';

const room = await openTestMessages();
const { db } = room;
let own: AccountId;
let another: AccountId;
let laneId: number;
beforeAll(async () => {
  own = await room.funded();
  another = await room.funded();
  laneId = await room.addLane({ name: 'sms', channel: 'sms' });
  for (const month of [2, 3, 4])
    await sql`select messages_make_partition(${`2026-0${month}-01`}::date)`.execute(db);
  await insert(new Date());
  await insert(new Date(), { accountId: another });
});
afterAll(() => room.close());

const insert = async (
  at: Date | string,
  given: Partial<Record<'accountId' | 'channel' | 'status' | 'type', string>> = {},
) => {
  const id = newId();
  const { accountId = own, channel = 'sms', status = 'SUCCESS', type = 'outgoing' } = given;
  await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, message,
      created_at, updated_at)
    values (${id}, ${accountId}, ${laneId}, ${channel}, ${type}, ${status}, 'x', 'x', 'words', ${at}, ${at})`.execute(
    db,
  );
  return id;
};

/** Until it is released, readers of the table wait. */
const hold = async (table: string) => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
    tellLocked();
    await held;
  });
  await locked;
  const end = async () => {
    letGo();
    await holding;
  };
  return { letGo: end, [Symbol.asyncDispose]: end };
};

const open = async (deps: Omit<ListDeps, 'db' | 'readPhoneHosts'>) => {
  let searches = 0;
  let calls = 0;
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      if (
        JSON.stringify(node, (_, value) => (typeof value === 'bigint' ? '' : value)).includes(
          'statement_timeout',
        )
      )
        searches += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyWithError);
  registerRoutes(
    app,
    [{ guard: 'customer', routes: messageRoutes({ ...deps, db: counting as Db, readPhoneHosts }) }],
    {
      findSession: async (token) => {
        calls += 1;
        return { accountId: token as AccountId, admin: false, sessionHash: Buffer.alloc(32) };
      },
      findSender: async () => undefined,
      limits: { ...room.accounts.limits, consume: async () => {} },
    },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const ask = ({ language = 'en-US', accountId = own } = {}): ClientRequest =>
    get({
      host: '127.0.0.1',
      port,
      path: `/api/account/${accountId}/messages`,
      headers: { authorization: accountId, 'accept-language': language },
      agent: false,
    });
  const answerOf = async (request: ClientRequest) => {
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const body = JSON.parse((await answer.toArray()).join(''));
    return { status: answer.statusCode, body };
  };
  const connected = () =>
    new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
  return { app, ask, answerOf, connected, searches: () => searches, calls: () => calls };
};

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await sleep(20);
};
const stuck = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
};

test('a search that takes too long is refused in the words of the reader, and the next one is answered', async () => {
  const { app, ask, answerOf } = await open({ limitMs: 1_500, connections: 5 });
  await using held = await hold('messages');
  expect(await answerOf(ask())).toMatchObject({
    status: 400,
    body: {
      code: 'E_SEARCH_TOO_LONG',
      message: 'This search takes too long. Choose fewer days or another filter.',
    },
  });
  expect((await answerOf(ask({ language: 'zh-HK' }))).body.message).toBe(
    '搜尋時間過長，請縮短日期範圍或改用其他篩選條件。',
  );
  await held.letGo();
  expect(await answerOf(ask())).toMatchObject({ status: 200 });
  // The limit belonged to those transactions, not to the connections.
  const { rows } = await sql`select current_setting('statement_timeout') as limit`.execute(db);
  expect(rows).toEqual([{ limit: '0' }]);
  await app.close();
});

test('searches leave connections to others, and one who hung up while waiting is not searched for', async () => {
  const { app, ask, answerOf, connected, searches, calls } = await open({ connections: 5 });
  const elsewhere = await open({ connections: 5 });
  await using held = await hold('messages');
  const first = answerOf(ask());
  await until(async () => (await stuck()) === 1);
  const leaving = ask();
  leaving.on('error', () => {});
  await until(() => calls() === 2);
  const third = answerOf(ask());
  await until(() => calls() === 3);
  // They ask who they are and then only wait: a search that another process began after them is in the database.
  const later = elsewhere.answerOf(elsewhere.ask());
  await until(async () => elsewhere.searches() === 1 && (await stuck()) >= 2);
  expect([await stuck(), searches()]).toEqual([2, 1]);
  leaving.destroy();
  await until(async () => (await connected()) === 2);
  await held.letGo();
  const answers = await Promise.all([first, third, later]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(searches()).toBe(2);
  await Promise.all([app.close(), elsewhere.app.close()]);
});

test('the searches of one account leave room for those of another', async () => {
  const { app, ask, answerOf, searches, calls } = await open({ connections: 10 });
  await using held = await hold('messages');
  const flood = Array.from({ length: 3 }, () => answerOf(ask()));
  await until(async () => calls() === 3 && (await stuck()) === 1);
  const other = answerOf(ask({ accountId: another }));
  await until(async () => (await stuck()) === 2);
  expect(searches()).toBe(2);
  await held.letGo();
  const answers = await Promise.all([other, ...flood]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await app.close();
});

test('the statements of a search together may take no longer than one alone', async () => {
  const slow = inTime(
    db,
    async (trx) => {
      for (let at = 0; at < 5; at += 1) await sql`select pg_sleep(0.4)`.execute(trx);
    },
    1_000,
  );
  await expect(slow).rejects.toMatchObject({ code: 'E_SEARCH_TOO_LONG' });
});

const partsOf = (node: unknown): unknown[] =>
  typeof node !== 'object' || node === null || node instanceof Date
    ? [node]
    : Object.values(node).flatMap(partsOf);

/** A database that is slow for messages of a longer span than this. */
const slowBeyond = (limitMs: number): Db =>
  db.withPlugin({
    transformQuery: ({ node }) => {
      const parts = partsOf(node);
      const times = parts.filter((part) => part instanceof Date).map((date) => date.getTime());
      const reads = parts.some((part) => typeof part === 'string' && part.includes('join messages m'));
      const slow = reads && Math.max(...times) - Math.min(...times) > limitMs;
      return slow ? RawNode.createWithSql('select pg_sleep(5)') : node;
    },
    transformResult: async ({ result }) => result,
  });

const HOUR_MS = 3_600_000;
const SPRING = { from: new Date('2026-02-01T00:00:00Z'), to: new Date('2026-05-01T00:00:00Z') };
const FIRST = { sort: 'createdAt', descending: true, skip: 0, limit: 50 } as const;

test.each(['channel', 'status', 'type'] as const)(
  'a rare %s is looked for only where there is some',
  async (by) => {
    const rare = { channel: 'email', status: 'CANCELLED', type: 'incoming' } as const;
    await insert('2026-03-10T10:00:00Z');
    const id = await insert('2026-04-10T10:00:00Z', { [by]: rare[by] });
    const slow = { db: slowBeyond(HOUR_MS), limitMs: 2_000 };
    const search: Search = { ...SPRING, accountId: own, [by]: rare[by] };
    expect(await searchMessages(slow, search, FIRST)).toMatchObject({ total: 1, messages: [{ id }] });
    const everything: Search = { ...SPRING, accountId: own };
    await expect(searchMessages(slow, everything, FIRST)).rejects.toMatchObject({
      code: 'E_SEARCH_TOO_LONG',
    });
  },
);

const walk = async (slow: Db) => {
  const search: Search = { ...SPRING, accountId: own, channel: 'whatsapp' };
  const ids: string[] = [];
  let failures = 0;
  const limited = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      failures += 1;
      throw error;
    }
  };
  const pages = walkMessages(slow, { search, limited, limitMs: 1_000 }, ({ id }) => `${id} `);
  let fault: unknown;
  try {
    for await (const text of pages) ids.push(...text.trim().split(' '));
  } catch (error) {
    fault = error;
  }
  return { ids, failures, fault };
};

test('an export asks for less at a time where a question took too long, and ends if even that does', async () => {
  const made: string[] = [];
  for (const at of ['2026-02-03', '2026-03-05', '2026-03-25', '2026-04-02', '2026-04-29'])
    made.unshift(await insert(`${at}T10:00:00Z`, { channel: 'whatsapp' }));
  const all = await walk(slowBeyond(3 * 24 * HOUR_MS));
  expect(all).toMatchObject({ ids: made, fault: undefined });
  expect(all.failures).toBeGreaterThan(0);
  expect(all.failures).toBeLessThan(5);
  const none = await walk(slowBeyond(HOUR_MS / 2));
  expect(none).toMatchObject({ ids: [], failures: 1, fault: { code: 'E_SEARCH_TOO_LONG' } });
});
