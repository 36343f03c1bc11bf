import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openTestWallet } from '../../../../test/wallet.ts';
import { AUTO_TOP_UP } from '../auto-top-up/auto-top-up-request.ts';
import { changePaymentSetting } from '../auto-top-up/change-payment-setting.ts';
import { walletMails } from '../mails/wallet-mails.ts';
import { requestHash } from '../payments/request-hash.ts';
import { captures, followCapture } from './captures.ts';
import type { Spend } from './spend.ts';
import { spend } from './spend.ts';

const room = await openTestWallet();
const { db, deps, jobs } = room;
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
const USD = 1_000_000n;
const accountsWith = (...dollars: number[]) => Promise.all(dollars.map((one) => room.funded(one)));
/** In a transaction of its own, with all that it causes; in the order of the spends. */
const capture = (wanted: Spend[], options = { quiet: false }) =>
  db.transaction().execute(async (trx) => {
    const { rows } = await captures(wanted, options).execute(trx);
    const found = new Map(rows.map((row) => [row.account_id, row]));
    const outcomes = wanted.map(({ accountId }) => found.get(accountId));
    for (const row of rows) await followCapture({ db: trx, queue: deps.queue }, row.account_id, row);
    return outcomes;
  });
const spends = (accounts: AccountId[], amountMicros: bigint, cause: string) =>
  accounts.map((accountId) => ({ accountId, amountMicros, cause }));

test('each account pays for itself, and who has too little is refused alone', async () => {
  const accounts = await accountsWith(10, 2, 7);
  const answers = await capture(spends(accounts, 3n * USD, 'batch:1'));
  expect(answers).toMatchObject([
    { outcome: 'posted', balance_micros: 7n * USD },
    { outcome: 'too-low', balance_micros: 2n * USD },
    { outcome: 'posted', balance_micros: 4n * USD },
  ]);
  expect(await Promise.all(accounts.map(room.balance))).toEqual([7n * USD, 2n * USD, 4n * USD]);
});

test('each pays its own amount, for its own reason', async () => {
  const accounts = await accountsWith(10, 10, 10);
  const amounts = [1n, 2n, 1n];
  await capture(
    accounts.map((accountId, at) => ({
      accountId,
      amountMicros: (amounts[at] ?? 0n) * USD,
      cause: `batch:${at}`,
      details: { channel: 'sms' as const, messages: at },
    })),
  );
  expect(await Promise.all(accounts.map(room.balance))).toEqual([9n * USD, 8n * USD, 9n * USD]);
  const { rows } = await sql`select available_micros, cause, details->>'messages' as messages, request_hash
    from ledger_entries where kind = 'CAPTURE' and account_id = any(${accounts}::uuid[]) order by cause`.execute(
    db,
  );
  expect(rows).toMatchObject(
    amounts.map((amount, at) => ({
      available_micros: -amount * USD,
      cause: `batch:${at}`,
      messages: String(at),
      request_hash: requestHash([{ AVAILABLE: -amount * USD, REVENUE: amount * USD }, undefined]),
    })),
  );
});

test('it leaves just what a spend by itself leaves', async () => {
  const [one, other] = (await accountsWith(10, 10)) as [AccountId, AccountId];
  const facts = {
    amountMicros: 6n * USD,
    cause: 'batch:1',
    details: { channel: 'sms' as const, messages: 2 },
  };
  jobs.length = 0;
  await spend(deps, { ...facts, accountId: one });
  const jobsOfOne = jobs.splice(0).map(({ name }) => name);
  await capture([{ ...facts, accountId: other }]);
  expect(jobs.map(({ name }) => name)).toEqual(jobsOfOne);
  const stateOf = async (accountId: AccountId) => {
    const { rows } = await sql`
      select e.kind, e.cause, e.request_hash, e.available_micros, e.balance_micros, e.of_entry,
        e.details, w.low_balance_told, w.auto_charge_asked_at,
        (select jsonb_object_agg(ledger, amount_micros) from ledger_postings p where p.entry_id = e.id) as postings
      from ledger_entries e join wallets w using (account_id)
      where e.account_id = ${accountId} and e.kind = 'CAPTURE'`.execute(db);
    return rows;
  };
  expect(await stateOf(other)).toEqual(await stateOf(one));
  expect(await stateOf(other)).toMatchObject([{ low_balance_told: true }]);
});

test('the automatic top-up and the mail about a low balance are asked for once', async () => {
  const [accountId] = (await accountsWith(20)) as [AccountId];
  const cardId = await room.addCard(accountId);
  await changePaymentSetting(deps, accountId, {
    autoCharge: true,
    autoChargeAmount: 10,
    cardId,
    autoChargeThreshold: 15,
  });
  jobs.length = 0;
  for (const cause of ['a', 'b', 'c']) await capture(spends([accountId], 3n * USD, cause));
  expect(jobs.map(({ name }) => name).toSorted()).toEqual([AUTO_TOP_UP, walletMails.task].toSorted());
});

test('quietly, who would cause more is left out, and pays nothing', async () => {
  const [low, rich] = (await accountsWith(6, 20)) as [AccountId, AccountId];
  jobs.length = 0;
  const outcomes = await capture(spends([low, rich], 3n * USD, 'batch:1'), { quiet: true });
  expect(outcomes).toMatchObject([
    { outcome: 'causes-more', entry_id: null, balance_micros: 6n * USD },
    { outcome: 'posted', balance_micros: 17n * USD },
  ]);
  expect(jobs).toEqual([]);
  expect(await room.balance(low)).toBe(6n * USD);
  expect(await capture(spends([low], 3n * USD, 'batch:1'))).toMatchObject([{ outcome: 'posted' }]);
  expect(jobs.map(({ name }) => name)).toEqual([walletMails.task]);
  // Once it was told, the next ones are quiet.
  expect(await capture(spends([low], USD, 'batch:2'), { quiet: true })).toMatchObject([
    { outcome: 'posted' },
  ]);
});

test('a top-up that can’t be asked for now stays wanted', async () => {
  const [accountId] = (await accountsWith(20)) as [AccountId];
  const cardId = await room.addCard(accountId);
  const setting = { autoCharge: true, autoChargeAmount: 10, cardId, autoChargeThreshold: 15 };
  await changePaymentSetting(deps, accountId, setting);
  // After a decline.
  await sql`update wallets set auto_charge_next_at = now() + interval '10 minutes', low_balance_told = true
    where account_id = ${accountId}`.execute(db);
  jobs.length = 0;
  await capture(spends([accountId], 6n * USD, 'batch:1'), { quiet: true });
  expect(jobs).toEqual([]);
  const { rows } =
    await sql`select auto_charge_wanted, auto_charge_asked_at from wallets where account_id = ${accountId}`.execute(
      db,
    );
  expect(rows).toEqual([{ auto_charge_wanted: true, auto_charge_asked_at: null }]);
});

test('nothing is spent by a spend of nothing, which tells the balance', async () => {
  const [one, other] = (await accountsWith(1, 7)) as [AccountId, AccountId];
  const wanted = [...spends([one], 0n, 'batch:1'), ...spends([other], USD, 'batch:1')];
  expect(await capture(wanted, { quiet: true })).toMatchObject([
    { outcome: 'posted', entry_id: null, balance_micros: USD },
    { outcome: 'posted', entry_id: expect.any(BigInt), balance_micros: 6n * USD },
  ]);
});

test('accounts that match the condition are left out without an outcome', async () => {
  const [one, other] = (await accountsWith(10, 10)) as [AccountId, AccountId];
  const except = sql`given.account_id = ${one}`;
  const { rows } = await captures(spends([one, other], USD, 'batch:1'), { quiet: true, except }).execute(db);
  expect(rows).toMatchObject([{ account_id: other, outcome: 'posted' }]);
  expect(await captures(spends([one], USD, 'batch:1'), { quiet: true, except }).execute(db)).toMatchObject({
    rows: [],
  });
  expect(await room.balance(one)).toBe(10n * USD);
});

test('who has no wallet is told so, beside others who pay', async () => {
  const [accountId] = (await accountsWith(10)) as [AccountId];
  const stranger = randomUUID() as AccountId;
  expect(await capture(spends([stranger, accountId], USD, 'batch:1'))).toMatchObject([
    { account_id: stranger, outcome: 'no-wallet', entry_id: null },
    { outcome: 'posted' },
  ]);
});

test('a cause that was paid before is refused by the database', async () => {
  const [accountId] = (await accountsWith(10)) as [AccountId];
  const once = spends([accountId], USD, 'batch:1');
  await capture(once);
  await expect(capture(once)).rejects.toThrow('ledger_entries_cause');
  expect(await room.balance(accountId)).toBe(9n * USD);
});

test('an account may occur once', async () => {
  const [accountId] = (await accountsWith(10)) as [AccountId];
  await expect(capture(spends([accountId, accountId], USD, 'x'))).rejects.toThrow('twice');
});

test('crowds of spends over the same accounts, in any order, never lock each other out', async () => {
  const accounts = await accountsWith(50, 50, 50, 50, 50, 50);
  await Promise.all(
    Array.from({ length: 30 }, (_, round) =>
      capture(spends(round % 2 ? accounts : accounts.toReversed(), USD, `round:${round}`)),
    ),
  );
  expect(await Promise.all(accounts.map(room.balance))).toEqual(accounts.map(() => 20n * USD));
});
