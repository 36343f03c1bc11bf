import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../contract/accounts.ts';
import { openTestWallet } from '../../test/wallet.ts';
import { AUTO_TOP_UP } from './auto-top-up-request.ts';
import { changePaymentSetting } from './change-payment-setting.ts';
import { SEND_MAIL } from './mail-request.ts';
import { requestHash } from './request-hash.ts';
import { spend } from './spend.ts';
import { captures, spendEach } from './spend-each.ts';

const room = await openTestWallet();
const { db, deps, jobs } = room;
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
const USD = 1_000_000n;
const accountsWith = (...dollars: number[]) => Promise.all(dollars.map((one) => room.funded(one)));
const spends = (accounts: AccountId[], amountMicros: bigint, cause: string) =>
  accounts.map((accountId) => ({ accountId, amountMicros, cause }));

test('each account pays for itself, and who has too little is refused alone', async () => {
  const accounts = await accountsWith(10, 2, 7);
  const answers = await spendEach(deps, spends(accounts, 3n * USD, 'batch:1'));
  expect(answers).toMatchObject([
    { balanceMicros: 7n * USD, repeated: false },
    { tooLow: true, balanceMicros: 2n * USD },
    { balanceMicros: 4n * USD },
  ]);
  expect(await Promise.all(accounts.map(room.balance))).toEqual([7n * USD, 2n * USD, 4n * USD]);
});

test('each pays its own amount, for its own reason', async () => {
  const accounts = await accountsWith(10, 10, 10);
  const amounts = [1n, 2n, 1n];
  await spendEach(
    deps,
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
  await spendEach(deps, [{ ...facts, accountId: other }]);
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

test('the same again is answered as before, another amount for the same cause is refused', async () => {
  const accounts = await accountsWith(10, 10);
  const first = await spendEach(deps, spends(accounts, USD, 'batch:1'));
  await spendEach(deps, spends(accounts, USD, 'batch:2'));
  const again = await spendEach(deps, spends(accounts, USD, 'batch:1'));
  expect(again).toEqual(first.map((one) => ({ ...one, repeated: true })));
  await expect(spendEach(deps, spends(accounts, 2n * USD, 'batch:1'))).rejects.toMatchObject({
    code: 'E_IDEMPOTENCY_KEY_REUSED',
  });
  expect(await room.balance(accounts[0] as AccountId)).toBe(8n * USD);
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
  for (const cause of ['a', 'b', 'c']) await spendEach(deps, spends([accountId], 3n * USD, cause));
  expect(jobs.map(({ name }) => name).toSorted()).toEqual([AUTO_TOP_UP, SEND_MAIL].toSorted());
});

test('who has no wallet is told so, beside others who pay', async () => {
  const [accountId] = (await accountsWith(10)) as [AccountId];
  const stranger = randomUUID() as AccountId;
  await expect(spendEach(deps, spends([stranger, accountId], USD, 'batch:1'))).rejects.toThrow('no-wallet');
  expect(await captures(spends([stranger], USD, 'batch:2')).execute(db)).toMatchObject({
    rows: [{ account_id: stranger, outcome: 'no-wallet', entry_id: null }],
  });
});

test('a cause that is said to be fresh and is not is refused by the database', async () => {
  const [accountId] = (await accountsWith(10)) as [AccountId];
  const once = spends([accountId], USD, 'batch:1');
  expect(await captures(once).execute(db)).toMatchObject({
    rows: [{ outcome: 'posted', balance_micros: 9n * USD }],
  });
  await expect(captures(once).execute(db)).rejects.toThrow('ledger_entries_cause');
  expect(await spendEach(deps, once)).toMatchObject([{ balanceMicros: 9n * USD, repeated: true }]);
  expect(await room.balance(accountId)).toBe(9n * USD);
});

test('the same cause at the same moment is paid once', async () => {
  const accounts = await accountsWith(10, 10, 10);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      spendEach(deps, spends(at % 2 ? accounts : accounts.toReversed(), USD, 'batch:1')),
    ),
  );
  expect(answers.flat().filter((one) => 'repeated' in one && !one.repeated)).toHaveLength(3);
  expect(await Promise.all(accounts.map(room.balance))).toEqual(accounts.map(() => 9n * USD));
});

test('an account may occur once', async () => {
  const [accountId] = (await accountsWith(10)) as [AccountId];
  await expect(spendEach(deps, spends([accountId, accountId], USD, 'x'))).rejects.toThrow('twice');
});

test('crowds of spends over the same accounts, in any order, never lock each other out', async () => {
  const accounts = await accountsWith(50, 50, 50, 50, 50, 50);
  await Promise.all(
    Array.from({ length: 30 }, (_, round) =>
      db
        .transaction()
        .execute((trx) =>
          spendEach(
            { db: trx, queue: deps.queue },
            spends(round % 2 ? accounts : accounts.toReversed(), USD, `round:${round}`),
          ),
        ),
    ),
  );
  expect(await Promise.all(accounts.map(room.balance))).toEqual(accounts.map(() => 20n * USD));
});
