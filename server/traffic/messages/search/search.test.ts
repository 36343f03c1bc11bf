import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { CHANNELS } from '../../../../contract/ground/channels.ts';
import { type MessageSort, messageQuery } from '../../../../contract/traffic/message-search.ts';
import { MESSAGE_STATUSES, SORTABLE } from '../../../../contract/traffic/message-values.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { openTestMessages } from '../../../../test/messages.ts';
import { newId } from '../../../ground/postgres/index.ts';
import type { Caller } from '../../../ground/route/index.ts';
import { foldCounts } from '../../outbox/testing/index.ts';
import { copyTexts } from '../export/texts-store.ts';
import { readSearch } from './read-search.ts';
import { searchMessages } from './search.ts';
import type { Search, SearchPage } from './search-store.ts';

const room = await openTestMessages();
const { db } = room;
let laneIds: number[];
let accounts: AccountId[];
beforeAll(async () => {
  laneIds = [
    await room.addLane({ name: 'a', channel: 'sms' }),
    await room.addLane({ name: 'b', channel: 'sms' }),
  ];
  accounts = [await room.funded(), await room.funded()];
  await room.open();
  // The days before may lie in another month, and so do those that a test names.
  for (const day of [new Date(BASE), new Date('2026-11-10')])
    await sql`select messages_make_partition(${day}::date)`.execute(db);
  await fill();
});
afterAll(() => room.close());

interface Row {
  id: MessageId;
  accountId: AccountId;
  createdAt: Date;
  status: (typeof MESSAGE_STATUSES)[number];
  channel: (typeof CHANNELS)[number];
  type: 'incoming' | 'outgoing';
  recipient: string;
  sender: string | null;
  message: string;
  laneId: number;
  priceMicros: bigint;
  test: boolean;
  updatedAt: Date;
}

const PARTIES = ['+85261112222', '+85261113333', '+6591234567', 'someone@example.org', '6111'];
const TEXTS = ['Hello WORLD', 'your code is 1234', '你好，世界', '100%_off', '', 'CAFÉ', 'Привет МИР'];
const pick = <T>(values: readonly T[], at: number): T => values[at % values.length] as T;
const HOUR_MS = 3_600_000;
// Whole minutes, so that several fall on one moment.
const BASE = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 30 * HOUR_MS;

const madeAt = (n: number): number => BASE + ((n * 7_919) % (30 * 60)) * 60_000;
const makeRow = (n: number): Row => ({
  id: newId() as MessageId,
  accountId: pick(accounts, n),
  createdAt: new Date(madeAt(n)),
  status: pick(MESSAGE_STATUSES, n >> 1),
  channel: pick(CHANNELS, n >> 2),
  type: n % 5 === 0 ? 'incoming' : 'outgoing',
  recipient: pick(PARTIES, n >> 1),
  sender: n % 3 === 0 ? null : pick(PARTIES, n >> 3),
  message: pick(TEXTS, n),
  laneId: pick(laneIds, n >> 2),
  priceMicros: BigInt((n * 31) % 17),
  test: (n >> 1) % 4 === 1,
  updatedAt: new Date(madeAt(n) + ((n * 104_729) % 2_000) * 60_000),
});

const insert = async (rows: Row[]): Promise<void> => {
  await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, sender,
      message, segment, price_micros, test, created_at, updated_at)
    select id, account_id, lane_id, channel, type, status, recipient, recipient, sender, message, 1, price, test, at,
      updated
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.accountId)}::uuid[],
      ${rows.map((row) => row.laneId)}::int[], ${rows.map((row) => row.channel)}::text[],
      ${rows.map((row) => row.type)}::text[], ${rows.map((row) => row.status)}::text[],
      ${rows.map((row) => row.recipient)}::text[], ${rows.map((row) => row.sender)}::text[],
      ${rows.map((row) => row.message)}::text[], ${rows.map((row) => row.priceMicros)}::bigint[],
      ${rows.map((row) => row.test)}::boolean[], ${rows.map((row) => row.createdAt)}::timestamptz[],
      ${rows.map((row) => row.updatedAt)}::timestamptz[])
      as given (id, account_id, lane_id, channel, type, status, recipient, sender, message, price, test, at, updated)`.execute(
    db,
  );
};

let rows: Row[];
const fill = async (): Promise<void> => {
  rows = Array.from({ length: 3_000 }, (_, n) => makeRow(n));
  await insert(rows);
  // Statuses change, in bulk and one by one, and some rows go.
  for (const [from, to] of [
    ['PENDING', 'SUCCESS'],
    ['SUCCESS', 'FAILED'],
  ] as const) {
    const changed = rows.filter(({ status }, at) => status === from && at % 3 === 0);
    await sql`update messages set status = ${to} where id = any(${changed.map(({ id }) => id)}::uuid[])`.execute(
      db,
    );
    for (const row of changed) row.status = to;
  }
  // Some that wait have an unknown outcome.
  const unknown = rows.filter(({ status }, at) => status === 'PENDING' && at % 4 === 1);
  expect(unknown.length).toBeGreaterThan(50);
  await sql`update messages set unknown_since = now() where id = any(${unknown.map(({ id }) => id)}::uuid[])`.execute(
    db,
  );
  const gone = rows.splice(0, 100);
  await sql`delete from messages where id = any(${gone.map(({ id }) => id)}::uuid[])`.execute(db);
  await foldCounts(db, 24);
  // The texts of some are copied, those of the others not yet.
  await sql`update message_texts_progress set done_until = ${new Date(BASE)}`.execute(db);
  await copyTexts(db, 15 * 60);
};

const party = (row: Row): string | null => (row.type === 'incoming' ? row.sender : row.recipient);

/** The same question, asked of a list. */
const naive = (rows: Row[], search: Search): Row[] =>
  rows.filter(
    (row) =>
      (search.id ? row.id === search.id : row.createdAt >= search.from && row.createdAt < search.to) &&
      (!search.accountId || row.accountId === search.accountId) &&
      (!search.status || row.status === search.status) &&
      (!search.channel || row.channel === search.channel) &&
      (!search.type || row.type === search.type) &&
      (!search.laneIds || search.laneIds.includes(row.laneId)) &&
      (!search.party ||
        (search.party.whole
          ? party(row) === search.party.text
          : party(row)?.startsWith(search.party.text) || party(row) === search.party.shortCode)) &&
      (search.text === undefined || row.message.toLowerCase().includes(search.text.toLowerCase())),
  );

type Key = string | number | bigint | boolean | null;
const KEYS: Record<MessageSort, (row: Row) => Key> = {
  createdAt: ({ createdAt }) => createdAt.getTime(),
  updatedAt: ({ updatedAt }) => updatedAt.getTime(),
  _id: ({ id }) => id,
  status: ({ status }) => status,
  channel: ({ channel }) => channel,
  type: ({ type }) => type,
  phoneNumber: party,
  price: ({ priceMicros }) => priceMicros,
  test: (row) => row.test,
};
/** What is not known comes after all that is. */
const compare = (a: Key, b: Key): number => {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
};

/** By time the ids go the same way; by anything else the newest comes first among equals. */
const sorted = (rows: Row[], { sort, descending }: Pick<SearchPage, 'sort' | 'descending'>): Row[] => {
  const way = descending ? -1 : 1;
  const newest = sort === 'createdAt' ? way : -1;
  return rows.toSorted(
    (a, b) =>
      way * compare(KEYS[sort](a), KEYS[sort](b)) ||
      newest * (compare(a.createdAt.getTime(), b.createdAt.getTime()) || compare(a.id, b.id)),
  );
};
const page = (rows: Row[], place: SearchPage): MessageId[] =>
  sorted(rows, place)
    .slice(place.skip, place.skip + place.limit)
    .map(({ id }) => id);

test('any combination of filters finds the same as a naive look at every row', {
  timeout: 120_000,
}, async () => {
  const quarter = fc.integer({ min: -4, max: 31 * 4 }).map((at) => new Date(BASE + (at * HOUR_MS) / 4));
  /** One time of two. */
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
  const search = fc.record({
    from: quarter,
    to: quarter,
    accountId: maybe(fc.constantFrom(...accounts)),
    status: maybe(fc.constantFrom(...MESSAGE_STATUSES)),
    channel: maybe(fc.constantFrom(...CHANNELS)),
    type: maybe(fc.constantFrom('incoming' as const, 'outgoing' as const)),
    party: maybe(
      fc.constantFrom(
        ...PARTIES.map((text) => ({ text, whole: true })),
        { text: '+8526111', whole: false },
        { text: '+8526111', whole: false, shortCode: '6111' },
        { text: 'some_', whole: false },
      ),
    ),
    text: maybe(
      fc.constantFrom(
        'world',
        'WorlD',
        '你好',
        'code is 1',
        '%',
        '_',
        'nothing',
        'afé',
        'FÉ',
        'мир',
        'ПРИВЕТ',
      ),
    ),
    laneIds: maybe(fc.constantFrom([], [laneIds[0] as number], laneIds)),
    id: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...rows.slice(0, 50).map(({ id }) => id)) },
    ),
  });
  const place = fc.record({
    sort: fc.oneof(fc.constant('createdAt' as const), fc.constantFrom(...SORTABLE)),
    descending: fc.boolean(),
    skip: fc.constantFrom(0, 0, 7, 1_200, 2_500),
    limit: fc.constantFrom(1, 50),
  });
  /** How often each filter was used and something was found. */
  const used = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(search, place, async (asked, where) => {
      const expected = naive(rows, asked);
      if (expected.length > 0)
        for (const [name, value] of Object.entries(asked))
          if (value !== undefined) used.set(name, (used.get(name) ?? 0) + 1);
      const found = await searchMessages({ db }, asked, where);
      expect(found.total).toBe(expected.length);
      expect(found.messages.map(({ id }) => id)).toEqual(page(expected, where));
    }),
    { numRuns: 500 },
  );
  for (const name of ['accountId', 'status', 'channel', 'type', 'party', 'text', 'laneIds'])
    expect(used.get(name) ?? 0, name).toBeGreaterThan(10);
});

test('every column sorts, both ways, over all pages', async () => {
  const [accountId] = accounts as [AccountId];
  const search: Search = { from: new Date(BASE - HOUR_MS), to: new Date(BASE + 31 * HOUR_MS), accountId };
  const own = rows.filter((row) => row.accountId === accountId);
  for (const sort of SORTABLE) {
    expect(new Set(own.map(KEYS[sort])).size, sort).toBeGreaterThan(1);
    for (const descending of [true, false]) {
      const found: MessageId[] = [];
      for (let skip = 0; skip < own.length; skip += 500) {
        const { messages } = await searchMessages({ db }, search, { sort, descending, skip, limit: 500 });
        found.push(...messages.map(({ id }) => id));
      }
      const expected = sorted(own, { sort, descending }).map(({ id }) => id);
      expect(found, `${sort} ${descending ? 'down' : 'up'}`).toEqual(expected);
    }
  }
});

test('a message is found by its id and its text, whatever the days', async () => {
  const row = rows.find(({ message }) => message === 'CAFÉ') as Row;
  const place: SearchPage = { sort: 'createdAt', descending: true, skip: 0, limit: 10 };
  const days = { from: new Date('2026-01-01'), to: new Date('2026-01-02') };
  for (const [text, total] of [
    ['café', 1],
    ['tea', 0],
  ] as const)
    expect(await searchMessages({ db }, { ...days, id: row.id, text }, place)).toMatchObject({ total });
});

test('messages are found by the reference of their sender, whatever the days, and only by their account', async () => {
  const [row, other] = rows.filter(({ type }) => type === 'outgoing') as [Row, Row];
  await sql`update messages set identifier = 'order 7' where id = any(${[row.id, other.id]}::uuid[])`.execute(
    db,
  );
  const caller = { accountId: row.accountId, admin: false, sessionHash: Buffer.alloc(0) };
  const asked = messageQuery.parse({ identifier: ' order 7', dateFrom: '2026-01-01', dateTo: '2026-01-02' });
  const { search, place } = await readSearch(db, caller, asked);
  const found = (await searchMessages({ db }, search, place)).messages.map(({ id }) => id);
  const own = [row, other].filter(({ accountId }) => accountId === row.accountId);
  expect(found.toSorted()).toEqual(own.map(({ id }) => id).toSorted());
  const nothing = await readSearch(db, caller, messageQuery.parse({ identifier: 'order' }));
  expect(await searchMessages({ db }, nothing.search, nothing.place)).toMatchObject({ total: 0 });
});

/** Made now, to numbers of these countries. */
const insertTo = async (accountId: AccountId, to: [recipient: string, country: string][]) => {
  const ids: MessageId[] = [];
  for (const [recipient, country] of to) {
    ids.push(newId() as MessageId);
    await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country,
        message, created_at, updated_at)
      values (${ids.at(-1)}, ${accountId}, ${laneIds[0]}, 'sms', 'outgoing', 'SUCCESS', ${recipient}, ${recipient},
        ${country}, 'hello', now(), now())`.execute(db);
  }
  return ids;
};
const foundBy = async (accountId: AccountId, query: Record<string, string>) => {
  const { search, place } = await readSearch(db, callerOf(accountId), messageQuery.parse(query));
  const { messages, total } = await searchMessages({ db }, search, place);
  expect(total).toBe(messages.length);
  return messages.map(({ id }) => id).toSorted();
};

test('a message is found by the end of its id, as lists show it, among the chosen days', async () => {
  const accountId = await room.funded();
  const [id, other] = (await insertTo(accountId, [
    ['+85261112222', 'HK'],
    ['+85261112223', 'HK'],
  ])) as [MessageId, MessageId];
  const short = id.slice(-8);
  for (const _id of [short, `…${short}`, ` ${short.toUpperCase()} `, id.slice(-12), id.slice(-13), id])
    expect(await foundBy(accountId, { _id }), _id).toEqual([id]);
  expect(await foundBy(accountId, { _id: short, message: 'HELLO' })).toEqual([id]);
  expect(await foundBy(accountId, { _id: other.slice(-8) })).toEqual([other]);
  // Less than lists show, another account's, what is no part of an id, and other days.
  for (const _id of [id.slice(-7), rows[0]?.id.slice(-8) ?? '', '________', '%%%%%%%%', `x${short}`])
    expect(await foundBy(accountId, { _id }), _id).toEqual([]);
  expect(await foundBy(accountId, { _id: short, dateFrom: '2026-01-01', dateTo: '2026-01-02' })).toEqual([]);
});

test('a country code filters by itself, for all countries that share it; with a number it says how to read it', async () => {
  const accountId = await room.funded();
  const [hk, us, canada, free, mail] = await insertTo(accountId, [
    ['+85261112222', 'HK'],
    ['+12025550123', 'US'],
    ['+14165550123', 'CA'],
    ['+80012345678', ''],
    ['someone@example.com', ''],
  ]);
  expect(await foundBy(accountId, { countryCode: '+852' })).toEqual([hk]);
  expect(await foundBy(accountId, { countryCode: '852' })).toEqual([hk]);
  expect(await foundBy(accountId, { countryCode: '+1' })).toEqual([us, canada].toSorted());
  expect(await foundBy(accountId, { countryCode: 'CA' })).toEqual([canada]);
  expect(await foundBy(accountId, { countryCode: '+800' })).toEqual([free]);
  expect(await foundBy(accountId, { countryCode: '+65' })).toEqual([]);
  expect(await foundBy(accountId, { countryCode: '' })).toHaveLength(5);
  expect(await foundBy(accountId, { countryCode: '+1', country: 'CA' })).toEqual([canada]);
  expect(await foundBy(accountId, { countryCode: '+1', country: 'HK' })).toEqual([]);
  expect(await foundBy(accountId, { countryCode: '+852', phoneNumber: '6111 2222' })).toEqual([hk]);
  expect(await foundBy(accountId, { countryCode: '+852', phoneNumber: '+1 202 555 0123' })).toEqual([us]);
  expect(mail).toBeDefined();
  await expect(foundBy(accountId, { countryCode: 'zz' })).rejects.toMatchObject({
    code: 'E_COUNTRY_INVALID',
  });
});

test('a text is found in its own letters, and in any case of them, even where case folding differs', async () => {
  const accountId = await room.funded();
  // JavaScript makes two signs of the first capital, and a final letter of the last one of the second word.
  const texts = ['İZMİR', 'ΟΔΟΣ', 'ÉTÉ', 'ПРИВЕТ'];
  const at = new Date(BASE);
  for (const text of texts)
    await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient,
        message, created_at, updated_at)
      values (${newId()}, ${accountId}, ${laneIds[0]}, 'sms', 'outgoing', 'SUCCESS', 'x', 'x', ${text}, ${at},
        ${at})`.execute(db);
  const place: SearchPage = { sort: 'createdAt', descending: true, skip: 0, limit: 10 };
  const find = async (message: string) => {
    const { search } = await ask(callerOf(accountId), { message });
    return (await searchMessages({ db }, search, place)).messages.map((found) => found.message);
  };
  // From the messages themselves, then from the copy.
  await sql`update message_texts_progress set done_until = ${new Date(BASE - HOUR_MS)}`.execute(db);
  for (const copied of [false, true]) {
    if (copied) {
      await sql`delete from message_texts`.execute(db);
      while (await copyTexts(db, 24 * 60));
    }
    for (const text of texts) expect(await find(text), `${text} ${copied}`).toEqual([text]);
    expect(await find('été')).toEqual(['ÉTÉ']);
    expect(await find('привет')).toEqual(['ПРИВЕТ']);
  }
});

test('a copy of texts leaves out what a running transaction may still commit', async () => {
  const accountId = await room.funded();
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const begun = Promise.withResolvers<Date>();
  const slow = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ now: Date }>`select now()`.execute(trx);
    begun.resolve(rows[0]?.now as Date);
    await held;
    const id = newId();
    await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient,
        message, created_at, updated_at)
      values (${id}, ${accountId}, ${laneIds[0]}, 'sms', 'outgoing', 'SUCCESS', 'x', 'x', 'late words', now(), now())`.execute(
      trx,
    );
  });
  const at = await begun.promise;
  while (await copyTexts(db, 60 * 24));
  const { rows } = await sql<{ done: Date }>`select done_until as done from message_texts_progress`.execute(
    db,
  );
  expect(rows[0]?.done.getTime()).toBeLessThanOrEqual(at.getTime());
  goOn();
  await slow;
  const search: Search = {
    from: new Date(at.getTime() - HOUR_MS),
    to: new Date(at.getTime() + HOUR_MS),
    accountId,
    text: 'late',
  };
  const place: SearchPage = { sort: 'createdAt', descending: true, skip: 0, limit: 10 };
  expect((await searchMessages({ db }, search, place)).total).toBe(1);
});

const callerOf = (accountId: AccountId, admin = false): Caller => ({
  accountId,
  admin,
  sessionHash: Buffer.alloc(0),
});
const ask = (caller: Caller, query: Record<string, string>) =>
  readSearch(db, caller, messageQuery.parse(query));

test('midnight is where the account lives, whatever the zone', async () => {
  const accountId = await room.funded();
  for (const [timeZone, expected] of [
    ['Asia/Hong_Kong', '2026-03-09T16:00:00.000Z'],
    ['Asia/Kolkata', '2026-03-09T18:30:00.000Z'],
    ['America/New_York', '2026-03-10T04:00:00.000Z'],
  ] as const) {
    await sql`update accounts set time_zone = ${timeZone} where id = ${accountId}`.execute(db);
    const { search } = await ask(callerOf(accountId), { dateFrom: '2026-03-10', dateTo: '2026-03-10' });
    expect(search.from.toISOString()).toBe(expected);
    expect(search.to.getTime() - search.from.getTime()).toBe(24 * HOUR_MS);
  }
});

test('a message a minute before midnight and one after it fall on their days', async () => {
  const accountId = await room.funded();
  for (const [at, id] of [
    ['2026-11-10T15:59:00Z', newId()],
    ['2026-11-10T16:01:00Z', newId()],
  ] as const)
    await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient,
        message, created_at, updated_at)
      values (${id}, ${accountId}, ${laneIds[0]}, 'sms', 'outgoing', 'SUCCESS', 'x', 'x', ${at}, ${at}, ${at})`.execute(
      db,
    );
  for (const [day, text] of [
    ['2026-11-10', '2026-11-10T15:59:00Z'],
    ['2026-11-11', '2026-11-10T16:01:00Z'],
  ] as const) {
    const { search, place } = await ask(callerOf(accountId), { dateFrom: day, dateTo: day });
    const found = await searchMessages({ db }, search, place);
    expect(found).toMatchObject({ total: 1, messages: [{ message: text }] });
  }
});

test('carriers are named with commas between, or one by one', () => {
  for (const carrierNames of ['HKT,SmarTone', ['HKT', 'SmarTone'], ['HKT,SmarTone']])
    expect(messageQuery.parse({ carrierNames }).carrierNames).toBe('HKT,SmarTone');
  expect(messageQuery.safeParse({ carrierNames: Array(101).fill('x') }).success).toBe(false);
});

test('a customer sees their own alone and may not use what is for admins', async () => {
  const [own, other] = accounts as [AccountId, AccountId];
  expect((await ask(callerOf(own), { accountId: own })).search.accountId).toBe(own);
  const forAdmins: Record<string, string>[] = [
    { accountId: other },
    { provider: 'smpp' },
    { carrierNames: 'x' },
    { phoneId: '1' },
    { sort: 'updatedAt' },
  ];
  for (const query of forAdmins)
    await expect(ask(callerOf(own), query)).rejects.toMatchObject({
      code: 'E_FORBIDDEN',
    });
  expect((await ask(callerOf(own, true), {})).search.accountId).toBeUndefined();
  expect((await ask(callerOf(own, true), { accountId: other })).search.accountId).toBe(other);
});

test.each([
  [
    { countryCode: '+852', phoneNumber: '6111 2222' },
    { text: '+85261112222', whole: true },
  ],
  [
    { countryCode: '+852', phoneNumber: '6111' },
    { text: '+8526111', whole: false, shortCode: '6111' },
  ],
  [{ phoneNumber: '+6111' }, { text: '+6111', whole: false }],
  [{ phone: '+6591234567' }, { text: '+6591234567', whole: true }],
  [{ phone: '85261112222' }, { text: '+85261112222', whole: true }],
  [{ phone: '447911123456' }, { text: '+447911123456', whole: true }],
  [{ phone: '852611' }, { text: '+852611', whole: false, shortCode: '852611' }],
  [{ phoneNumber: 'Someone@Example.org' }, { text: 'Someone@example.org', whole: true }],
  [{ phoneNumber: 'some' }, { text: 'some', whole: false }],
])('the other party %j is looked for as %j', async (query, expected) => {
  const { search } = await ask(callerOf(accounts[0] as AccountId), query as Record<string, string>);
  expect(search.party).toEqual(expected);
});

test('nonsense is refused by the contract, and Any means any', () => {
  for (const query of [
    { limit: '0' },
    { limit: '201' },
    { skip: '-1' },
    { status: 'LOST' },
    { sort: 'message' },
    { dateFrom: 'x' },
    { other: '1' },
  ])
    expect(messageQuery.safeParse(query).success).toBe(false);
  expect(messageQuery.parse({ status: 'Any', channel: '', sortDesc: 'asc' })).toMatchObject({
    limit: 50,
    skip: 0,
    sortDesc: 'asc',
  });
  expect(messageQuery.parse({ status: 'any' }).status).toBeUndefined();
});
