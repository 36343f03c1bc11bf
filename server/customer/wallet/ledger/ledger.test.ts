import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EntryId } from '../../../../contract/customer/wallet.ts';
import { openTestWallet } from '../../../../test/wallet.ts';
import { openDatabase } from '../../../ground/postgres/index.ts';
import { openWallet } from '../store.ts';
import { adjust } from './adjust.ts';
import { recapture } from './recapture.ts';
import { refund } from './refund.ts';
import { spend } from './spend.ts';

const room = await openTestWallet();
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
const { db, deps } = room;
const USD = 1_000_000n;

const postingsOf = async (entryId: EntryId) => {
  const { rows } = await sql<{ ledger: string; amount: bigint }>`
    select ledger, amount_micros as amount from ledger_postings where entry_id = ${entryId}::bigint
    order by ledger`.execute(db);
  return Object.fromEntries(rows.map(({ ledger, amount }) => [ledger, amount]));
};
const refusal = async (statement: ReturnType<typeof sql>) =>
  statement.execute(db).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

test('a spend moves money from the balance to our revenue', async () => {
  const accountId = await room.funded(10);
  const { entryId, balanceMicros } = await spend(deps, {
    accountId,
    amountMicros: 3n * USD,
    cause: 'batch:1',
  });
  expect(balanceMicros).toBe(7n * USD);
  expect(await postingsOf(entryId)).toEqual({ AVAILABLE: -3n * USD, REVENUE: 3n * USD });
});

test('a balance that does not suffice refuses the spend and stays as it was', async () => {
  const accountId = await room.funded(1);
  await expect(spend(deps, { accountId, amountMicros: USD + 1n, cause: 'batch:1' })).rejects.toMatchObject({
    code: 'E_BALANCE_TOO_LOW',
  });
  expect(await room.balance(accountId)).toBe(USD);
});

test('the same cause is paid once and gets the first answer; with another amount it is refused', async () => {
  const accountId = await room.funded(10);
  const once = { accountId, amountMicros: USD, cause: 'batch:7' };
  const first = await spend(deps, once);
  await spend(deps, { ...once, cause: 'batch:8' });
  expect(await spend(deps, once)).toEqual({ ...first, repeated: true });
  await expect(spend(deps, { ...once, amountMicros: 2n * USD })).rejects.toMatchObject({
    code: 'E_IDEMPOTENCY_KEY_REUSED',
  });
  expect(await room.balance(accountId)).toBe(8n * USD);
});

test('a message is refunded once, however often and beside whatever others', async () => {
  const accountId = await room.funded(10);
  const { entryId: captureId } = await spend(deps, { accountId, amountMicros: 3n * USD, cause: 'batch:1' });
  const item = (name: string) => ({ item: `message:${name}`, amountMicros: USD });
  await refund(db, [{ accountId, captureId, items: [item('a'), item('b'), item('a')] }]);
  await Promise.all(
    Array.from({ length: 8 }, () => refund(db, [{ accountId, captureId, items: [item('a'), item('b')] }])),
  );
  expect(await room.balance(accountId)).toBe(9n * USD);
  await refund(db, [{ accountId, captureId, items: [item('b'), item('c')] }]);
  expect(await room.balance(accountId)).toBe(10n * USD);
  await expect(
    refund(db, [{ accountId, captureId, items: [{ item: 'message:a', amountMicros: 2n * USD }] }]),
  ).rejects.toMatchObject({ code: 'E_IDEMPOTENCY_KEY_REUSED' });
});

test('messages of several captures and accounts are refunded by one call, each of its own', async () => {
  const [one, other] = [await room.funded(10), await room.funded(10)];
  const captureOf = async (accountId: AccountId, cause: string) =>
    (await spend(deps, { accountId, amountMicros: 2n * USD, cause })).entryId;
  const item = (name: string) => ({ item: `message:${name}`, amountMicros: USD });
  const refunds = [
    { accountId: one, captureId: await captureOf(one, 'batch:1'), items: [item('a'), item('b')] },
    { accountId: other, captureId: await captureOf(other, 'batch:2'), items: [item('c')] },
    { accountId: one, captureId: await captureOf(one, 'batch:3'), items: [item('d')] },
  ];
  expect((await refund(db, refunds)).map(({ repeated }) => repeated)).toEqual([false, false, false]);
  expect((await refund(db, refunds)).map(({ repeated }) => repeated)).toEqual([true, true, true]);
  expect([await room.balance(one), await room.balance(other)]).toEqual([9n * USD, 9n * USD]);
});

test('refunds are looked for by their key: new ones read none of the others', async () => {
  const accountId = await room.funded(10);
  const { entryId: captureId } = await spend(deps, { accountId, amountMicros: USD, cause: 'batch:1' });
  const read = async () => {
    const { rows } = await sql<{ read: bigint }>`select (t.seq_tup_read + i.idx_tup_read)::bigint as read
      from pg_stat_user_tables t join pg_stat_user_indexes i using (relid)
      where t.relname = 'ledger_refunds'`.execute(db);
    return rows[0]?.read ?? 0n;
  };
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const before = await read();
  await db.connection().execute(async (one) => {
    for (let part = 0; part < 20; part += 1) {
      const items = Array.from({ length: 50 }, (_, at) => ({
        item: `message:${part}-${at}`,
        amountMicros: 1n,
      }));
      await refund(one, [{ accountId, captureId, items }]);
    }
    await sql`select pg_stat_force_next_flush()`.execute(one);
  });
  // Statistics of other connections arrive late; each part would have read all before it.
  expect((await read()) - before).toBeLessThan(1_000n);
});

test('a refund never exceeds what was captured, and only a capture is refunded', async () => {
  const accountId = await room.funded(10);
  const { entryId: captureId } = await spend(deps, { accountId, amountMicros: 2n * USD, cause: 'batch:1' });
  const { entryId: adjustmentId } = await adjust(deps, {
    accountId,
    amount: 5,
    reason: 'goodwill',
    by: accountId,
    idempotencyKey: undefined,
  });
  const items = [{ item: 'message:x', amountMicros: 3n * USD }];
  await expect(refund(db, [{ accountId, captureId, items }])).rejects.toThrow('exceeded');
  await expect(refund(db, [{ accountId, captureId: adjustmentId, items }])).rejects.toThrow('exceeded');
  expect(await room.balance(accountId)).toBe(13n * USD);
});

test('refunds of one capture by one call never exceed it together, and an item that two of them name counts once', async () => {
  const accountId = await room.funded(10);
  const { entryId: captureId } = await spend(deps, { accountId, amountMicros: 3n * USD, cause: 'batch:1' });
  const of = (name: string, dollars: bigint) => ({
    accountId,
    captureId,
    items: [{ item: `message:${name}`, amountMicros: dollars * USD }],
  });
  const refundAll = (refunds: ReturnType<typeof of>[]) =>
    db.transaction().execute((trx) => refund(trx, refunds));
  await expect(refundAll([of('a', 2n), of('b', 2n)])).rejects.toThrow('exceeded');
  await expect(refundAll([of('a', 2n), of('a', 1n)])).rejects.toMatchObject({
    code: 'E_IDEMPOTENCY_KEY_REUSED',
  });
  expect(await room.balance(accountId)).toBe(7n * USD);
  expect((await refundAll([of('a', 2n), of('a', 2n), of('b', 1n)])).map((one) => one.repeated)).toEqual([
    false,
    true,
    false,
  ]);
  expect(await room.balance(accountId)).toBe(10n * USD);
});

test('of what is charged again the cheapest is covered first, and a low balance is told once', async () => {
  const accountId = await room.funded(10);
  const { entryId: captureId } = await spend(deps, { accountId, amountMicros: 10n * USD, cause: 'batch:1' });
  const names = ['a', 'b', 'c', 'd'].map((name) => `message:${name}`);
  const items = names.map((item, at) => ({ item, amountMicros: (at === 1 ? 4n : 2n) * USD }));
  await refund(db, [{ accountId, captureId, items }]);
  await spend(deps, { accountId, amountMicros: 4n * USD, cause: 'batch:2' });
  await sql`update wallets set auto_charge_threshold_micros = ${5n * USD}, low_balance_told = false where account_id = ${accountId}`.execute(
    db,
  );
  room.jobs.splice(0);
  const again = () =>
    recapture(
      deps,
      names.map((item) => ({ accountId, item, details: {}, simulated: false })),
    );
  expect(await again()).toEqual(new Set(['message:b']));
  expect(await room.balance(accountId)).toBe(0n);
  expect(room.jobs).toHaveLength(1);
  expect(await again()).toEqual(new Set(['message:b']));
  expect(room.jobs).toHaveLength(1);
});

test('what is not refunded at this moment, or named before in the call, is charged no second time', async () => {
  const [accountId, other] = [await room.funded(20), await room.funded(20)];
  const { entryId: captureId } = await spend(deps, { accountId, amountMicros: 4n * USD, cause: 'batch:1' });
  await refund(db, [{ accountId, captureId, items: [{ item: 'message:a', amountMicros: 3n * USD }] }]);
  const of = (account: AccountId, item: string) => ({
    accountId: account,
    item,
    details: {},
    simulated: false,
  });
  const [a, strange] = [of(accountId, 'message:a'), of(accountId, 'message:z')];
  expect(await recapture(deps, [a, strange, a, of(other, 'message:a')])).toEqual(new Set());
  expect(await Promise.all([accountId, other].map(room.balance))).toEqual([16n * USD, 20n * USD]);
  // Once for each refund: the next one is of what was charged again, under its own name.
  expect(await recapture(deps, [a])).toEqual(new Set());
  expect(await room.balance(accountId)).toBe(16n * USD);
  const { rows } = await sql<{ entry_id: EntryId; refunded_as: string }>`
    select entry_id, refunded_as from ledger_recaptures where account_id = ${accountId}`.execute(db);
  expect(rows).toMatchObject([{ refunded_as: 'message:a#1' }]);
  const again = { item: rows[0]?.refunded_as ?? '', amountMicros: 3n * USD };
  await refund(db, [{ accountId, captureId: String(rows[0]?.entry_id) as EntryId, items: [again] }]);
  await recapture(deps, [a]);
  expect(await room.balance(accountId)).toBe(16n * USD);
  await expect(recapture(deps, [of(randomUUID() as AccountId, 'message:a')])).rejects.toThrow('no-wallet');
});

test('an adjustment bears its reason and who made it, once per key', async () => {
  const [accountId, admin] = [await room.funded(), await room.funded()];
  const change = { accountId, amount: '12.34', reason: ' goodwill ', by: admin, idempotencyKey: 'k1' };
  const first = await adjust(deps, change);
  expect(await adjust(deps, change)).toEqual({ ...first, beforeMicros: first.balanceMicros, repeated: true });
  await expect(adjust(deps, { ...change, amount: 12.35 })).rejects.toMatchObject({
    code: 'E_IDEMPOTENCY_KEY_REUSED',
  });
  await expect(adjust(deps, { ...change, idempotencyKey: 'k2', reason: '  ' })).rejects.toMatchObject({
    code: 'E_REASON_EMPTY',
  });
  await expect(adjust(deps, { ...change, idempotencyKey: 'k3', amount: -20 })).rejects.toMatchObject({
    code: 'E_BALANCE_TOO_LOW',
  });
  expect(await room.balance(accountId)).toBe(12_340_000n);
  const { rows } = await sql`select details from ledger_entries where account_id = ${accountId}`.execute(db);
  expect(rows).toEqual([{ details: { reason: 'goodwill', by: admin } }]);
});

test('an account that is not activated is not adjusted', async () => {
  const accountId = await room.funded();
  await sql`update accounts set activated_at = null where id = ${accountId}`.execute(db);
  await expect(
    adjust(deps, { accountId, amount: 5, reason: 'early', by: accountId, idempotencyKey: undefined }),
  ).rejects.toMatchObject({ code: 'E_NOT_ACTIVATED' });
});

test('64 spends at once from two pools never take the balance below zero', async () => {
  const accountId = await room.funded(20);
  const other = openDatabase({ url: room.url, max: 8, onError: () => {} });
  const results = await Promise.allSettled(
    Array.from({ length: 64 }, (_, at) =>
      spend(
        { db: at % 2 ? db : other.db, queue: deps.queue },
        { accountId, amountMicros: USD, cause: `batch:${randomUUID()}` },
      ),
    ),
  );
  await other.close();
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(await room.balance(accountId)).toBe(0n);
});

test('the database refuses to change or remove what was posted', async () => {
  const accountId = await room.funded(10);
  await spend(deps, { accountId, amountMicros: USD, cause: 'batch:1' });
  for (const table of ['ledger_entries', 'ledger_postings', 'ledger_refunds'])
    for (const statement of [
      sql`update ${sql.table(table)} set account_id = account_id`,
      sql`delete from ${sql.table(table)}`,
      sql`truncate ${sql.table(table)} cascade`,
    ])
      expect(await refusal(statement)).toContain('append-only');
});

test('the database refuses a balance that is changed without postings', async () => {
  const accountId = await room.funded(10);
  expect(
    await refusal(
      sql`update wallets set balance_micros = balance_micros + 1 where account_id = ${accountId}`,
    ),
  ).toContain('only by postings');
  expect(
    await refusal(sql`insert into wallets (account_id, balance_micros) values (gen_random_uuid(), 5)`),
  ).toContain('only by postings');
});

test('the database refuses postings that do not sum to zero, or that belong to another account', async () => {
  const [accountId, other] = [await room.funded(10), await room.funded(10)];
  const { entryId } = await spend(deps, { accountId, amountMicros: USD, cause: 'batch:1' });
  const add = (rows: string) =>
    refusal(sql`insert into ledger_postings (entry_id, ledger, account_id, amount_micros) ${sql.raw(rows)}`);
  expect(await add(`values (${entryId}, 'ADJUSTMENTS', '${accountId}', 5)`)).toContain('sum to zero');
  expect(
    await add(`values (${entryId}, 'ADJUSTMENTS', '${other}', 5), (${entryId}, 'LOSSES', '${other}', -5)`),
  ).toContain('belong to the account');
});

test('the database refuses kinds of entries and ledgers that it does not know', async () => {
  expect(
    await refusal(sql`insert into ledger_entries
        (account_id, kind, cause, request_hash, available_micros, balance_micros)
      values (gen_random_uuid(), 'HOLD', 'x', '', 0, 0)`),
  ).toContain('ledger_entries_kind_check');
  expect(
    await refusal(sql`insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
      values (1, 'HELD', gen_random_uuid(), 1)`),
  ).toContain('ledger_postings_ledger_check');
});

test('the database refuses postings of an entry or for a wallet that is not there', async () => {
  const [accountId, nobody] = [await room.funded(10), randomUUID()];
  const add = (entryId: string, owner: string) =>
    refusal(sql`insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
      values (${entryId}::bigint, 'AVAILABLE', ${owner}, 5), (${entryId}::bigint, 'LOSSES', ${owner}, -5)`);
  expect(await add('999999999', accountId)).toContain('belong to the account');
  const { rows } = await sql<{ id: bigint }>`insert into ledger_entries
      (account_id, kind, cause, request_hash, available_micros, balance_micros)
    values (${nobody}, 'TOP_UP', 'x', '', 5, 5) returning id`.execute(db);
  expect(await add(String(rows[0]?.id), nobody)).toContain('need a wallet');
  expect(await room.balance(accountId)).toBe(10n * USD);
});

test('the database refuses two real captures of an account by one statement, and refunds that name no capture', async () => {
  const accountId = await room.funded(10);
  const { rows } = await sql<{ id: bigint }>`insert into ledger_entries
      (account_id, kind, cause, request_hash, available_micros, balance_micros, real)
    values (${accountId}, 'CAPTURE', 'x', '', -5, 5, true), (${accountId}, 'CAPTURE', 'y', '', -5, 5, true)
    returning id`.execute(db);
  expect(
    await refusal(sql`insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
      select id, ledger, ${accountId}, amount from unnest(${rows.map(({ id }) => id)}::bigint[]) as id,
        (values ('AVAILABLE', -5), ('REVENUE', 5)) as side (ledger, amount)`),
  ).toContain('one real capture of an account');
  for (const kind of ['REFUND', 'RECAPTURE'])
    expect(
      await refusal(sql`select ledger_post(${accountId}, ${kind}, 'z', '', array['AVAILABLE', 'REVENUE'],
        array[5, -5])`),
    ).toContain('ledger_refund_each');
  expect(await room.balance(accountId)).toBe(10n * USD);
});

test('postings of several entries by one statement all move their balances', async () => {
  const [accountId, other] = [await room.funded(10), await room.funded(1)];
  const { rows } = await sql<{ id: bigint }>`insert into ledger_entries
      (account_id, kind, cause, request_hash, available_micros, balance_micros)
    values (${accountId}, 'TOP_UP', 'x', '', ${USD}, ${11n * USD}), (${other}, 'TOP_UP', 'x', '', ${USD}, ${2n * USD}),
      (${accountId}, 'TOP_UP', 'y', '', ${USD}, ${12n * USD}) returning id`.execute(db);
  await sql`insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
    select e.id, ledger, e.account_id, amount
    from ledger_entries e, (values ('AVAILABLE', ${USD}::bigint), ('LOSSES', -${USD}::bigint)) as side (ledger, amount)
    where e.id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(db);
  expect([await room.balance(accountId), await room.balance(other)]).toEqual([12n * USD, 2n * USD]);
});

test('an account whose money moved can not be deleted, nor its wallet taken from it', async () => {
  const accountId = await room.funded(10);
  for (const statement of [
    sql`delete from accounts where id = ${accountId}`,
    sql`delete from wallets where account_id = ${accountId}`,
    sql`update wallets set account_id = gen_random_uuid() where account_id = ${accountId}`,
    sql`truncate wallets cascade`,
  ])
    expect(await refusal(statement)).toMatch(/violates foreign key|append-only/);
});

test('an account that sent something for nothing can not be deleted, another one can', async () => {
  const [sender, idle] = [await room.funded(), await room.funded()];
  await sql`insert into batches (id, account_id, channel, kind, test, accepted, total_micros)
    values (gen_random_uuid(), ${sender}, 'sms', 'API', true, 1, 0)`.execute(db);
  expect(await refusal(sql`delete from accounts where id = ${sender}`)).toContain('violates foreign key');
  expect(await refusal(sql`delete from accounts where id = ${idle}`)).toBe('accepted');
});

test('a wallet of an account without entries starts at zero and needs an account', async () => {
  await expect(openWallet(db, randomUUID() as never)).rejects.toThrow('violates foreign key');
});
