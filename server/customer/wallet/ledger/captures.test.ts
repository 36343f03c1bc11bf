import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openTestWallet } from '../../../../test/wallet.ts';
import { AUTO_TOP_UP } from '../auto-top-up/auto-top-up-request.ts';
import { changePaymentSetting } from '../auto-top-up/change-payment-setting.ts';
import { walletMails } from '../mails/wallet-mails.ts';
import { requestHash } from '../payments/request-hash.ts';
import { captures, enqueueAfterCapture, NO_SPENDING_RULES } from './captures.ts';
import type { SpendingRules } from './ledger-store.ts';
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
const capture = (
  wanted: Spend[],
  options: { fastPath: boolean; rules?: SpendingRules } = { fastPath: false },
) =>
  db.transaction().execute(async (trx) => {
    const { rows } = await captures(wanted, options).execute(trx);
    const found = new Map(rows.map((row) => [row.account_id, row]));
    const outcomes = wanted.map(({ accountId }) => found.get(accountId));
    for (const row of rows) await enqueueAfterCapture({ db: trx, queue: deps.queue }, row.account_id, row);
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
  const outcomes = await capture(spends([low, rich], 3n * USD, 'batch:1'), { fastPath: true });
  expect(outcomes).toMatchObject([
    { outcome: 'needs-follow-up', entry_id: null, balance_micros: 6n * USD },
    { outcome: 'posted', balance_micros: 17n * USD },
  ]);
  expect(jobs).toEqual([]);
  expect(await room.balance(low)).toBe(6n * USD);
  expect(await capture(spends([low], 3n * USD, 'batch:1'))).toMatchObject([{ outcome: 'posted' }]);
  expect(jobs.map(({ name }) => name)).toEqual([walletMails.task]);
  // Once it was told, the next ones are quiet.
  expect(await capture(spends([low], USD, 'batch:2'), { fastPath: true })).toMatchObject([
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
  await capture(spends([accountId], 6n * USD, 'batch:1'), { fastPath: true });
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
  expect(await capture(wanted, { fastPath: true })).toMatchObject([
    { outcome: 'posted', entry_id: null, balance_micros: USD },
    { outcome: 'posted', entry_id: expect.any(BigInt), balance_micros: 6n * USD },
  ]);
});

test('accounts that match the condition are left out without an outcome', async () => {
  const [one, other] = (await accountsWith(10, 10)) as [AccountId, AccountId];
  const except = sql`given.account_id = ${one}`;
  const { rows } = await captures(spends([one, other], USD, 'batch:1'), { fastPath: true, except }).execute(
    db,
  );
  expect(rows).toMatchObject([{ account_id: other, outcome: 'posted' }]);
  expect(await captures(spends([one], USD, 'batch:1'), { fastPath: true, except }).execute(db)).toMatchObject(
    {
      rows: [],
    },
  );
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

/** What a spend of so many dollars is told, although what follows is so too; and what takes the reason away. */
const refusals: [outcome: string, dollars: bigint, couldSpend: bigint, mend: string][] = [
  ['suspended', 50n, -1n, 'suspended_at = null'],
  ['unapproved', 50n, -1n, 'approved_at = now()'],
  ['sandbox', 50n, 3n * USD, 'sandbox_micros = 0'],
  ['too-low', 50n, 40n * USD, ''],
  ['over-limit', 30n, 20n * USD, 'day_limit_micros = 30000000'],
  ['needs-follow-up', 30n, 40n * USD, "limit_told_on = (now() at time zone 'utc')::date"],
  ['posted', 30n, 10n * USD, ''],
];

test('of several reasons to refuse a spend the first is told, with what could have been spent', async () => {
  const [accountId] = (await accountsWith(40)) as [AccountId];
  const set = (change: string) =>
    db.transaction().execute(async (trx) => {
      // Past the triggers: here the state counts, not how it came about.
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`update wallets set ${sql.raw(change)} where account_id = ${accountId}`.execute(trx);
    });
  await set('suspended_at = now(), sandbox_micros = 37000000');
  const rules = { approval: true, dayLimitMicros: 20n * USD };
  for (const [outcome, dollars, balance_micros, mend] of refusals) {
    const wanted = spends([accountId], dollars * USD, 'batch:1');
    expect(await capture(wanted, { fastPath: true, rules })).toMatchObject([{ outcome, balance_micros }]);
    if (mend) await set(mend);
  }
});

test('who would come near the day’s limit is left out quietly, and is told of it once a day', async () => {
  const [accountId] = (await accountsWith(100)) as [AccountId];
  const take = (dollars: bigint, { fastPath = false, simulated = false } = {}) =>
    capture([{ accountId, amountMicros: dollars * USD, cause: randomUUID(), simulated }], {
      fastPath,
      rules: { ...NO_SPENDING_RULES, dayLimitMicros: 10n * USD },
    });
  expect(await take(7n, { fastPath: true })).toMatchObject([{ outcome: 'posted', limit_near: false }]);
  expect(await take(1n, { fastPath: true })).toMatchObject([{ outcome: 'needs-follow-up', entry_id: null }]);
  jobs.length = 0;
  expect(await take(1n)).toMatchObject([{ outcome: 'posted', limit_near: true, limit_micros: 10n * USD }]);
  expect(jobs.map(({ name }) => name)).toEqual([walletMails.task]);
  expect(await take(1n, { fastPath: true })).toMatchObject([{ outcome: 'posted', limit_near: false }]);
  expect(await take(2n)).toMatchObject([{ outcome: 'over-limit', balance_micros: USD }]);
  // What simulators serve, and what costs nothing, counts for no limit.
  expect(await take(20n, { simulated: true })).toMatchObject([{ outcome: 'posted', limit_micros: null }]);
  expect(await take(0n)).toMatchObject([{ outcome: 'posted', limit_micros: null }]);
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`update wallets set spent_on = spent_on - 1, limit_told_on = limit_told_on - 1
      where account_id = ${accountId}`.execute(trx);
  });
  expect(await take(8n)).toMatchObject([{ outcome: 'posted', limit_near: true }]);
});

test('of an account whose wallet is locked elsewhere nothing is said quietly, and it pays nothing', async () => {
  const [locked, free] = (await accountsWith(20, 20)) as [AccountId, AccountId];
  await db.transaction().execute(async (trx) => {
    await sql`select from wallets where account_id = ${locked} for update`.execute(trx);
    const outcomes = await capture(spends([locked, free], USD, 'batch:1'), { fastPath: true });
    expect(outcomes).toMatchObject([undefined, { outcome: 'posted' }]);
  });
  expect(await Promise.all([locked, free].map(room.balance))).toEqual([20n * USD, 19n * USD]);
});

/** What is so of a wallet with a threshold of 15; and what a spend says and leaves that takes it from 20 to 14. */
const bounds: [
  state: string,
  low: boolean,
  topUp: boolean,
  left: [told: boolean, wanted: boolean, asked: boolean],
][] = [
  ['auto_charge = false', true, false, [true, false, false]],
  ['auto_charge = false, low_balance_told = true', false, false, [true, false, false]],
  ['auto_charge = true', true, true, [true, true, true]],
  ['low_balance_told = true', false, true, [true, true, true]],
  ['auto_charge_wanted = true', true, true, [true, true, true]],
  ["auto_charge_next_at = now() - interval '1 second'", true, true, [true, true, true]],
  ["auto_charge_next_at = now() + interval '1 hour'", true, false, [true, true, false]],
  [
    "auto_charge_next_at = now() + interval '1 hour', low_balance_told = true",
    false,
    false,
    [true, true, false],
  ],
  ['auto_charge_asked_at = now()', true, false, [true, true, true]],
  ['auto_charge_threshold_micros = 14000000', false, false, [false, false, false]],
  ['auto_charge_threshold_micros = 14000001', true, true, [true, true, true]],
];

test.each(bounds)('a spend from a wallet with %s: low %s, top-up %s', async (state, low, topUp, left) => {
  const [one, many, fastPath] = (await accountsWith(20, 20, 20)) as [AccountId, AccountId, AccountId];
  for (const accountId of [one, many, fastPath]) {
    const cardId = await room.addCard(accountId);
    await sql`update wallets set auto_charge = true, auto_charge_amount_micros = ${10n * USD}, card_id = ${cardId},
      auto_charge_threshold_micros = ${15n * USD} where account_id = ${accountId}`.execute(db);
    await sql`update wallets set ${sql.raw(state)} where account_id = ${accountId}`.execute(db);
  }
  jobs.length = 0;
  await spend(deps, { accountId: one, amountMicros: 6n * USD, cause: 'batch:1' });
  const caused = jobs.splice(0).map(({ name }) => name);
  expect(caused.toSorted()).toEqual(
    [...(low ? [walletMails.task] : []), ...(topUp ? [AUTO_TOP_UP] : [])].toSorted(),
  );
  expect(await capture(spends([many], 6n * USD, 'batch:1'))).toMatchObject([
    { outcome: 'posted', balance_low: low, top_up_due: topUp },
  ]);
  expect(await capture(spends([fastPath], 6n * USD, 'batch:1'), { fastPath: true })).toMatchObject([
    { outcome: low || topUp ? 'needs-follow-up' : 'posted', balance_low: false, top_up_due: false },
  ]);
  const { rows } = await sql`select low_balance_told as told, auto_charge_wanted as wanted,
      auto_charge_asked_at is not null as asked from wallets where account_id in (${one}, ${many})`.execute(
    db,
  );
  const [told, wanted, asked] = left;
  expect(rows).toEqual([0, 1].map(() => ({ told, wanted, asked })));
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
