import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openTestMessages } from '../../../../test/messages.ts';
import { outboxTasks } from '../../outbox/index.ts';
import { type Prepared, prepare } from '../prepare.ts';
import type { SendingRouteDeps } from '../routes.ts';
import { readTerms } from '../terms.ts';
import { accept, acceptWithin, type BatchToAccept } from './accept.ts';

const room = await openTestMessages();
const { db } = room;
const PRICE = 32_051n;
let deps: SendingRouteDeps;
let lane: number;
beforeAll(async () => {
  lane = await room.addLane({ name: 'sms', channel: 'sms' });
  deps = await room.open();
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const batchOf = async (
  accountId: AccountId,
  messages: number,
): Promise<BatchToAccept & Required<Pick<BatchToAccept, 'expected'>> & { chunks: Prepared[][] }> => {
  const terms = await readTerms(deps, { accountId, channel: 'sms', test: false });
  const prepared = Array.from({ length: messages }, (_, at) =>
    prepare(terms, { recipientRaw: `6${String(1_000_000 + at)}`, message: `row ${at}` }),
  );
  const chunks = [];
  for (let at = 0; at < messages; at += 100) chunks.push(prepared.slice(at, at + 100));
  const expected = { messages, priceMicros: PRICE * BigInt(messages) };
  return { accountId, channel: 'sms', kind: 'CSV', terms, expected, chunks };
};

test('a batch is one entry in the ledger, one wake, and rows in their order behind the singles', async () => {
  const accountId = await room.funded(100);
  room.woken.length = 0;
  const answer = await accept(deps, await batchOf(accountId, 250));
  expect(answer).toEqual({
    batchId: expect.any(String),
    accepted: 250,
    totalMicros: 250n * PRICE,
    balanceMicros: 100_000_000n - 250n * PRICE,
    test: false,
  });
  expect(room.woken).toEqual([[lane]]);
  const rows = await room.messagesOf(accountId);
  expect(rows.map(({ message }) => message)).toEqual(Array.from({ length: 250 }, (_, at) => `row ${at}`));
  expect(new Set(rows.map(({ priority }) => priority))).toEqual(new Set([1]));
  const { rows: entries } = await sql`select e.id from ledger_entries e join batches b on b.capture_id = e.id
    where b.id = ${answer.batchId} and e.kind = 'CAPTURE'`.execute(db);
  expect(entries).toHaveLength(1);
});

test('what was wrong with a chunk is told, whatever is asked after it', async () => {
  const accountId = await room.funded(100);
  const { chunks, ...batch } = await batchOf(accountId, 200);
  const failing = db.transaction().execute((trx) =>
    acceptWithin(trx, deps, {
      ...batch,
      chunks: (async function* () {
        yield chunks[0]?.map((one, at) => ({
          ...one,
          country: at ? one.country : (null as unknown as string),
        })) ?? [];
        yield chunks[1] ?? [];
        await sql`select 1`.execute(trx);
      })(),
    }),
  );
  await expect(failing).rejects.toMatchObject({ code: '23502' });
  expect(await room.messagesOf(accountId)).toEqual([]);
});

test('a batch that the balance does not cover leaves nothing behind', async () => {
  const accountId = await room.funded(1);
  await expect(accept(deps, await batchOf(accountId, 32))).rejects.toMatchObject({
    code: 'E_BALANCE_TOO_LOW',
  });
  expect(await room.messagesOf(accountId)).toEqual([]);
  expect(await room.balance(accountId)).toBe(1_000_000n);
});

test('of two batches that the balance covers once, one is accepted', async () => {
  const accountId = await room.funded(1);
  const batch = await batchOf(accountId, 20);
  const outcomes = await Promise.allSettled([accept(deps, batch), accept(deps, batch)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await room.messagesOf(accountId)).toHaveLength(20);
});

test('a batch that came to another price than was quoted is not accepted', async () => {
  const accountId = await room.funded(10);
  const batch = await batchOf(accountId, 3);
  const expected = { ...batch.expected, priceMicros: batch.expected.priceMicros - 1n };
  await expect(accept(deps, { ...batch, expected })).rejects.toThrow('another price');
  expect(await room.balance(accountId)).toBe(10_000_000n);
  expect(await room.messagesOf(accountId)).toEqual([]);
});

test('while a large batch is written, a single message of the same account is accepted', async () => {
  const accountId = await room.funded(10);
  const batch = await batchOf(accountId, 10);
  let goOn = () => {};
  const paused = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const chunks = (async function* () {
    yield* batch.chunks;
    await paused;
  })();
  const accepting = accept(deps, { ...batch, chunks });
  const wanted = { recipientRaw: '61112222', message: 'now' };
  const sender = { accountId, test: false };
  await deps.send({ sender, channel: 'sms', wanted, idempotencyKey: undefined });
  goOn();
  await accepting;
  expect(await room.balance(accountId)).toBe(10_000_000n - 11n * PRICE);
});

test('partitions are made ahead, any number of times', async () => {
  const tasks = outboxTasks({ db, log: { info: () => {}, warn: () => {}, error: () => {} } });
  const run = () => tasks['outbox.make-partitions']?.run({}, new AbortController().signal);
  await Promise.all([run(), run()]);
  await run();
  const { rows } = await sql<{ names: string[] }>`
    select array_agg(inhrelid::regclass::text order by 1) as names from pg_inherits
    where inhparent = 'messages'::regclass`.execute(db);
  const { rows: wanted } = await sql<{ names: string[] }>`
    select array_agg('messages_' || to_char((now() at time zone 'UTC')::date + make_interval(months => n), 'YYYY_MM'))
      as names from generate_series(0, 3) n`.execute(db);
  expect(rows[0]?.names).toEqual(wanted[0]?.names);
});
