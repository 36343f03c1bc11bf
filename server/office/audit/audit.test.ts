import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { testDatabase } from '../../../test/database.ts';
import { openDatabase } from '../../ground/postgres/index.ts';
import { type AuditedCall, openAudit, verifyChain } from './index.ts';
import { searchEntries } from './store.ts';
import { openVerifier } from './verify-chain.ts';

const database = await testDatabase();
const { db, pool } = database;
const audit = openAudit(db);
afterAll(database.close);

const newId = () => randomUUID() as string as AccountId;
const callOf = (facts: Partial<AuditedCall> = {}): AuditedCall => ({
  adminId: newId(),
  call: 'PUT /admin/lanes/:laneId',
  accountId: null,
  subject: '7',
  address: '127.0.0.1',
  ...facts,
});
const found = (adminId: AccountId) => searchEntries(db, { adminIds: [adminId], timeZone: 'UTC', limit: 10 });

/** What only somebody can do who may change the database itself. */
const tamper = async (statement: string) => {
  const client = await pool.connect();
  await client.query('begin; set local session_replication_role = replica');
  await client.query(statement);
  await client.query('commit');
  client.release();
};

test('a write is kept before it is done, and its end with what differs', async () => {
  const call = callOf();
  const { end } = await audit.ask(call, { mode: 'paused' });
  expect(await found(call.adminId)).toMatchObject([
    { outcome: 'open', asked: { mode: 'paused' }, subject: '7', address: '127.0.0.1' },
  ]);
  await end({ event: 'done', before: { mode: 'on', name: 'a' }, after: { mode: 'paused', name: 'a' } });
  expect(await found(call.adminId)).toMatchObject([
    { outcome: 'done', before: { mode: 'on' }, after: { mode: 'paused' } },
  ]);
});

test('a write is found by what it made and by whose it was, though only its end knows', async () => {
  const call = callOf({ subject: '' });
  const accountId = newId();
  await (await audit.ask(call, {})).end({ event: 'done', subject: 'made-1', accountId, after: { a: 1 } });
  const search = { timeZone: 'UTC', limit: 10 };
  expect(await searchEntries(db, { ...search, subject: 'made-1' })).toMatchObject([{ accountId }]);
  expect(await searchEntries(db, { ...search, accountId })).toMatchObject([{ subject: 'made-1' }]);
  expect(await searchEntries(db, { ...search, adminIds: [call.adminId], kind: 'read' })).toEqual([]);
  expect(await searchEntries(db, { ...search, adminIds: [call.adminId], call: 'LANES' })).toHaveLength(1);
});

test('secrets are never kept, wherever they stand, nor what is sealed or endless', async () => {
  const call = callOf();
  const secret = 'hunter2-hunter2';
  const { end } = await audit.ask(call, {
    password: secret,
    settings: { HOST: 'a', PASSWORD: secret },
    list: [{ apiKey: secret, sql: secret, query: secret }],
    text: 'x'.repeat(2_000),
    ids: Array.from({ length: 300 }, (_, place) => place),
  });
  await end({
    event: 'done',
    before: { sealed: Buffer.from(secret), token: 'a' },
    after: { sealed: Buffer.from(`${secret}2`), token: 'b', micros: 5n },
  });
  const [entry] = await found(call.adminId);
  const text = JSON.stringify(entry);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(Buffer.from(secret).toString('base64'));
  expect(entry).toMatchObject({
    asked: {
      password: '[hidden]',
      settings: '[hidden]',
      list: [{ apiKey: '[hidden]', sql: '[hidden]', query: '[hidden]' }],
    },
    before: { sealed: '[hidden]', token: '[hidden]' },
    after: { sealed: '[hidden]', token: '[hidden]', micros: '5' },
  });
  expect(text.length).toBeLessThan(5_000);
  await (await audit.ask(call, { many: Array.from({ length: 90 }, () => 'y'.repeat(400)) })).end({
    event: 'done',
  });
  expect((await found(call.adminId))[0]?.asked).toEqual({ characters: expect.any(Number) });
});

/** The same database, and how many statements with this text it was asked. */
const countStatements = (text: string, of = db) => {
  let count = 0;
  const counted = of.withPlugin({
    transformQuery: ({ node }) => {
      if ('sqlFragments' in node && node.sqlFragments.join('').includes(text)) count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { counted, count: () => count };
};

test('entries of one moment are kept by one insert, in their order, and each call learns its own id', async () => {
  const { counted, count } = countStatements('insert into audit_entries');
  const { ask, read } = openAudit(counted);
  const adminId = newId();
  const subjects = Array.from({ length: 40 }, (_, place) => String(place));
  const [asked] = await Promise.all([
    Promise.all(subjects.map((subject) => ask(callOf({ adminId, subject }), {}))),
    read(callOf({ adminId, call: 'GET /accounts' })),
  ]);
  // The first goes at once, the others while it is on its way.
  expect(count()).toBe(2);
  await Promise.all(asked.map(({ end }, place) => end({ event: 'done', after: { place } })));
  expect(count()).toBe(4);
  const { rows } = await pool.query(
    `select a.id::text, a.subject, e.after from audit_entries a join audit_entries e on e.asked_id = a.id
    where a.admin_id = $1 order by a.id`,
    [adminId],
  );
  expect(rows).toEqual(
    subjects.map((subject, place) => ({ id: asked[place]?.entryId, subject, after: { place } })),
  );
});

test('an entry that cannot be kept does not take those of others with it', async () => {
  const [first, unkept, beside] = await Promise.allSettled([
    audit.ask(callOf(), {}),
    audit.ask(callOf({ adminId: 'nobody' as AccountId }), {}),
    audit.ask(callOf(), {}),
  ]);
  expect([first?.status, unkept?.status, beside?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await verifyChain(db)).fault).toBeNull();
});

test('while the database is away, entries are refused together and not tried one by one', async () => {
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', max: 1, onError: () => {} });
  const { counted, count } = countStatements('insert into audit_entries', away.db);
  const { ask } = openAudit(counted);
  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => ask(callOf(), {})));
  await away.close();
  expect(asked.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  expect(count()).toBe(2);
});

test('many at once make one chain without gaps', async () => {
  const adminId = newId();
  await Promise.all(
    Array.from({ length: 60 }, async (_, place) => {
      if (place % 3) return audit.read(callOf({ adminId, call: 'GET /accounts', subject: String(place) }));
      return (await audit.ask(callOf({ adminId }), {})).end({
        event: 'refused',
        after: { code: 'E_NOT_FOUND' },
      });
    }),
  );
  const verified = await verifyChain(db);
  expect(verified.fault).toBeNull();
  const { rows } = await pool.query('select count(*)::int as count, max(id)::int as last from audit_entries');
  expect(rows).toEqual([{ count: verified.entries, last: verified.entries }]);
});

test('the log is read once at a time: those who ask meanwhile share the next reading', async () => {
  const { counted, count } = countStatements('from audit_head');
  const verify = openVerifier(counted);
  const all = await Promise.all(Array.from({ length: 5 }, () => verify()));
  expect(count()).toBe(2);
  expect(new Set(all.map(({ head }) => head)).size).toBe(1);
  await audit.ask(callOf(), {});
  expect(await verify()).toMatchObject({ entries: Number(all[0]?.entries) + 1, fault: null });
});

test('nobody changes or removes an entry', async () => {
  for (const change of [
    "update audit_entries set call = ''",
    'delete from audit_entries',
    'truncate audit_entries',
    'update audit_head set last_id = 0',
    'delete from audit_head',
    "insert into audit_head (one, last_id, hash) values (false, 1, '')",
  ])
    await expect(pool.query(change), change).rejects.toThrow('append-only');
});

test('a change, a removal in the middle and one at the end show, and a log that was made anew', async () => {
  await audit.read(callOf());
  const known = await verifyChain(db);
  const [id = '', hash = ''] = known.head.split(':');
  const last = Number(id);
  const entry = async (place: number) =>
    (await pool.query('select * from audit_entries where id = $1', [place])).rows[0];
  const changed = await entry(2);
  await tamper("update audit_entries set address = 'elsewhere' where id = 2");
  expect((await verifyChain(db)).fault).toEqual({ id: '2', why: 'changed' });
  await tamper(`update audit_entries set address = '${changed.address}' where id = 2`);
  expect((await verifyChain(db)).fault).toBeNull();
  await tamper('create table kept as select * from audit_entries where id = 3');
  await tamper('delete from audit_entries where id = 3');
  expect((await verifyChain(db)).fault).toEqual({ id: '3', why: 'missing' });
  await tamper('insert into audit_entries select * from kept');
  await tamper(`delete from audit_entries where id = ${last}`);
  expect((await verifyChain(db)).fault).toEqual({ id, why: 'missing' });
  // Whoever moves the head too is found out by the head that was noted before.
  await tamper(
    `update audit_head set last_id = e.id, hash = e.hash from audit_entries e where e.id = ${last - 1}`,
  );
  expect((await verifyChain(db)).fault).toBeNull();
  expect((await verifyChain(db, { id: BigInt(id), hash })).fault).toEqual({ id, why: 'missing' });
  await audit.read(callOf({ subject: 'another' }));
  expect((await verifyChain(db, { id: BigInt(id), hash })).fault).toEqual({ id, why: 'changed' });
});
