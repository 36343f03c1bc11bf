import { randomUUID } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EntryId } from '../../../../contract/customer/wallet.ts';
import { openTestWallet } from '../../../../test/wallet.ts';
import { chargeCard } from '../payments/charge-card.ts';
import { listPayments } from '../payments/payment-store.ts';
import { receiptPdf } from '../payments/receipt-pdf.ts';
import { entryView } from '../views.ts';
import { adjust } from './adjust.ts';
import { ledgerCsv } from './ledger-csv.ts';
import { listEntries } from './ledger-store.ts';
import { countStrays, readLatestProof } from './proof-store.ts';
import { proveBalances } from './prove-balances.ts';
import { refund } from './refund.ts';
import { spend } from './spend.ts';

const room = await openTestWallet();
afterAll(room.close);
const { db, deps, taskDeps } = room;
const timeZone = 'Asia/Hong_Kong';

const adjustBy = (accountId: AccountId, amount: number, reason: string) =>
  adjust(deps, { accountId, amount, reason, by: accountId, idempotencyKey: undefined });

test('pages by key show every movement once, newest first', async () => {
  const accountId = await room.funded(100);
  for (let count = 0; count < 24; count++)
    await spend(deps, { accountId, amountMicros: 1_000_000n, cause: `batch:${count}` });
  const seen: bigint[] = [];
  let before: EntryId | undefined;
  for (;;) {
    const page = await listEntries(db, { accountId, timeZone, before, limit: 7 });
    seen.push(...page.map(({ id }) => id));
    if (page.length < 7) break;
    before = String(page.at(-1)?.id) as EntryId;
  }
  expect(seen).toHaveLength(25);
  expect(seen).toEqual([...seen].sort((a, b) => Number(b - a)));
});

test('days are those of the time zone, the last one included, and the kind is filtered', async () => {
  const accountId = await room.funded(10);
  await spend(deps, { accountId, amountMicros: 1n, cause: 'batch:1' });
  const { rows } = await sql<{ today: string; before: string }>`
    select (now() at time zone ${timeZone})::date::text as today,
      ((now() at time zone ${timeZone})::date - 1)::text as before`.execute(db);
  const { today, before } = rows[0] ?? { today: '', before: '' };
  const count = async (filter: object) =>
    (await listEntries(db, { accountId, timeZone, limit: 10, ...filter })).length;
  expect(await count({ dateFrom: today, dateTo: today })).toBe(2);
  expect(await count({ dateTo: before })).toBe(0);
  expect(await count({ kind: 'CAPTURE' })).toBe(1);
});

test("another account's entry as the key shows nothing of either", async () => {
  const [one, other] = [await room.funded(10), await room.funded(10)];
  const [entry] = await listEntries(db, { accountId: other, timeZone, limit: 1 });
  const before = String(entry?.id) as EntryId;
  expect(await listEntries(db, { accountId: one, timeZone, before, limit: 10 })).toEqual([]);
});

test('causes are told in both languages', async () => {
  const accountId = await room.funded(10);
  const { entryId: captureId } = await spend(deps, {
    accountId,
    amountMicros: 2_000_000n,
    cause: 'batch:1',
    details: { channel: 'sms', messages: 3 },
  });
  await refund(db, [
    {
      accountId,
      captureId,
      items: [{ item: 'message:1', amountMicros: 500_000n }],
      details: { channel: 'sms', messages: 1 },
    },
  ]);
  const cardId = await room.addCard(accountId);
  await chargeCard(deps, { accountId, cardId, amount: 10, idempotencyKey: undefined });
  const entries = await listEntries(db, { accountId, timeZone, limit: 10 });
  expect(entries.map((entry) => entryView('en_US', entry).description)).toEqual([
    'Top-up by Visa •••• 4242',
    'Refund for messages by SMS that could not be sent: 1',
    'Messages by SMS: 3',
    'Adjustment: test money',
  ]);
  expect(entries.map((entry) => entryView('zh_HK', entry).description)).toEqual([
    '以 Visa •••• 4242 增值',
    '未能發送的短訊訊息退款：1 條',
    '短訊訊息：3 條',
    '調整：test money',
  ]);
  expect(entryView('en_US', entries[1] as never)).toMatchObject({
    kind: 'REFUND',
    amount: 0.5,
    balance: 8.5,
  });
});

test('the CSV opens in a spreadsheet as text, never as a formula', async () => {
  const accountId = await room.funded();
  await adjustBy(accountId, 10, '=HYPERLINK("http://bad.example","x")');
  await spend(deps, { accountId, amountMicros: 1_234_567n, cause: 'batch:1' });
  const csv = await readAll(await ledgerCsv(deps, { accountId, language: 'en_US' }));
  const [head, spent, adjusted, end] = csv.split('\r\n');
  expect(head).toBe('\uFEFFTime,Kind,Description,Amount (USD),Balance (USD),Entry');
  expect(spent).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,CAPTURE,Charge,-1\.234567,8\.765433,\d+$/);
  expect(adjusted).toContain('"Adjustment: =HYPERLINK(""http://bad.example"",""x"")"');
  expect(end).toBe('');
});

test('the amounts of the CSV are numbers to every parser, and add up to the balance', async () => {
  const accountId = await room.funded(10);
  await adjustBy(accountId, -2.5, '-5;=1+1');
  await spend(deps, { accountId, amountMicros: 1_234_567n, cause: 'batch:1' });
  const rows: string[][] = parse(await readAll(await ledgerCsv(deps, { accountId, language: 'en_US' })), {
    bom: true,
    from_line: 2,
  });
  const micros = rows.map(([, , , amount]) => Math.round(Number(amount) * 1e6));
  expect(micros).toEqual([-1_234_567, -2_500_000, 10_000_000]);
  expect(rows[0]?.[4]).toBe('6.265433');
});

test('the CSV has every movement, also beyond one page', async () => {
  const accountId = await room.funded(1_000);
  await sql`select ledger_post(${accountId}, 'CAPTURE', 'bulk:' || n, 'x', array['AVAILABLE', 'REVENUE'],
    array[-1, 1]::bigint[]) from generate_series(1, 2500) n`.execute(db);
  const csv = await readAll(await ledgerCsv(deps, { accountId, language: 'zh_HK', kind: 'CAPTURE' }));
  expect(csv.trim().split('\r\n')).toHaveLength(2_501);
});

test('payments page by key, newest first', async () => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  const made = [];
  for (let count = 0; count < 5; count++)
    made.unshift((await chargeCard(deps, { accountId, cardId, amount: 10, idempotencyKey: undefined })).id);
  const first = await listPayments(db, { accountId, before: undefined, limit: 2 });
  const rest = await listPayments(db, { accountId, before: first[1]?.id, limit: 10 });
  expect([...first, ...rest].map(({ id }) => id)).toEqual(made);
});

test('a paid top-up has a small PDF receipt in both languages, nothing else has', async () => {
  const accountId = await room.funded();
  const paid = await chargeCard(deps, {
    accountId,
    cardId: await room.addCard(accountId),
    amount: 10,
    idempotencyKey: undefined,
  });
  for (const language of ['en_US', 'zh_HK'] as const) {
    const pdf = await receiptPdf(deps, { accountId, paymentId: paid.id, language });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.length).toBeLessThan(100_000);
  }
  const failed = await chargeCard(deps, {
    accountId,
    cardId: await room.addCard(accountId, 'declines'),
    amount: 10,
    idempotencyKey: undefined,
  });
  await expect(
    receiptPdf(deps, { accountId, paymentId: failed.id, language: 'en_US' }),
  ).rejects.toMatchObject({ code: 'E_RECEIPT_UNAVAILABLE' });
  const other = await room.funded();
  await expect(
    receiptPdf(deps, { accountId: other, paymentId: paid.id, language: 'en_US' }),
  ).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
});

test('the proof finds nothing while money moves, and raises the alarm when a balance was tampered with', async () => {
  const accountId = await room.funded(50);
  const spending = Array.from({ length: 40 }, (_, at) =>
    spend(deps, { accountId, amountMicros: 10_000n, cause: `proof:${at}` }),
  );
  await Promise.all([...spending, proveBalances(taskDeps), proveBalances(taskDeps), proveBalances(taskDeps)]);
  expect(room.alarms).toEqual([]);
  expect(await readLatestProof(db)).toMatchObject({ differences: 0n });
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`update wallets set balance_micros = balance_micros + 1 where account_id = ${accountId}`.execute(
      trx,
    );
  });
  await proveBalances(taskDeps);
  expect(room.alarms).toMatchObject([{ differing: [accountId] }]);
  expect(await readLatestProof(db)).toMatchObject({ differences: 1n });
});

test('the proof finds an entry without a wallet, and a batch without what paid for it', async () => {
  const [accountId, other] = [await room.funded(50), await room.funded(50)];
  const { entryId } = await spend(deps, { accountId, amountMicros: 10_000n, cause: 'stray:1' });
  const addBatch = (owner: string, captureId: string) =>
    sql`insert into batches (id, account_id, channel, kind, test, capture_id, accepted, total_micros)
      values (gen_random_uuid(), ${owner}, 'sms', 'API', false, ${captureId}::bigint, 1, 10000)`.execute(db);
  await addBatch(accountId, entryId);
  expect(await countStrays(db, taskDeps.paid)).toEqual({ entries: 0, batches: 0 });
  await addBatch(other, entryId);
  await addBatch(accountId, '999999999');
  await addBatch(randomUUID(), entryId);
  await sql`insert into ledger_entries
      (account_id, kind, cause, request_hash, available_micros, balance_micros)
    values (${randomUUID()}, 'CAPTURE', 'stray:2', '', -1, 0)`.execute(db);
  const { differences = 0n } = (await readLatestProof(db)) ?? {};
  room.alarms.length = 0;
  await proveBalances(taskDeps);
  expect(room.alarms).toMatchObject([{ strays: { entries: 1, batches: 3 } }]);
  expect(await readLatestProof(db)).toMatchObject({ differences: differences + 4n });
});
