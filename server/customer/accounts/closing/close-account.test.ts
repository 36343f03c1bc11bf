import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { changeWaiting } from '../../../../test/chunks.ts';
import { openTestMessages } from '../../../../test/messages.ts';
import { outboxTasks } from '../../../traffic/outbox/index.ts';
import { accept, type Prepared, prepare, readTerms } from '../../../traffic/sending/index.ts';
import { openKeeper } from '../../../traffic/webhooks/index.ts';
import { readWallet } from '../../wallet/index.ts';
import { adminAccountRoutes } from '../admins/admin-routes.ts';
import { changeSetting } from '../change-setting.ts';
import { register } from '../opening/register.ts';
import { openSenderSearch } from '../secrets/find-sender.ts';
import { readSecrets } from '../secrets/read-secrets.ts';
import { rotateApiSecret } from '../secrets/rotate-secret.ts';
import { forgotPassword } from '../sessions/forgot-password.ts';
import { logIn } from '../sessions/log-in.ts';
import { findSession } from '../sessions/session.ts';
import { anonymiseAccount } from './anonymise-account.ts';
import { closeAccount } from './close-account.ts';
import { markReopened } from './close-store.ts';
import { reopenAccount } from './reopen-account.ts';

const room = await openTestMessages();
const { db } = room;
await room.addLane({ name: 'sms', channel: 'sms' });
const messages = await room.open();
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});

const deps = {
  ...room.accounts,
  processor: room.provider.processor,
  webhooks: openKeeper({ receivers: { judge: async () => 'fine' as never } }),
};
const close = (account: { accountId: AccountId; email: string; password: string }, changes: object = {}) =>
  closeAccount(deps, { ...account, language: 'en_US', address: '192.0.2.1', ...changes });
const takenJobs: { name: string; data: object }[] = [];
const send = deps.queue.send;
deps.queue = {
  send: async (name, data, options) => {
    takenJobs.push({ name, data });
    await send(name, data, options);
  },
};
const jobsOf = (accountId: AccountId, name: string) =>
  takenJobs.filter((job) => job.name === name && JSON.stringify(job.data).includes(accountId));
const sendFile = async (
  accountId: AccountId,
  read: (rows: (count: number) => Prepared[]) => AsyncGenerator<Prepared[]>,
) => {
  const terms = await readTerms(messages, { accountId, channel: 'sms', test: false });
  const wanted = { recipientRaw: '61234567', message: 'hello' };
  const chunks = read((count) => Array.from({ length: count }, () => prepare(terms, wanted)));
  return accept(messages, { accountId, channel: 'sms', kind: 'CSV', terms, chunks });
};
const sendSms = (accountId: AccountId, count: number) =>
  sendFile(accountId, async function* (rows) {
    yield rows(count);
  });
const fundedAccount = async () => {
  const account = await room.activeAccount();
  await room.addMoney(account.accountId, 10);
  return account;
};
const sweep = async (accountId: AccountId) => {
  const tasks = outboxTasks({ db, log: { info: () => {}, warn: () => {}, error: () => {} } as never });
  const sweeps = jobsOf(accountId, 'outbox.cancel-account');
  for (const { name, data } of sweeps) await tasks[name]?.run(data, new AbortController().signal);
};
const statusesOf = async (accountId: AccountId) =>
  (await room.messagesOf(accountId)).map(({ status }) => status);
/** Resolves when somebody waits for a lock that we hold. */
const untilWaitedFor = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length;
    })
    .toBe(1);

test('closing ends sessions, secrets, senders, top-up, cards and the webhook at once, and tells so', async () => {
  const account = await room.activeAccount();
  const { accountId, email } = account;
  await room.addMoney(accountId, 10);
  const cardId = await room.addCard(accountId);
  await sql`update wallets set auto_charge = true, auto_charge_amount_micros = 20000000, card_id = ${cardId}
    where account_id = ${accountId}`.execute(db);
  await changeSetting(deps, accountId, { webhook: 'https://receiver.example/hook' });
  await room.give(accountId, 'sms', '+85261110009');
  const sessions = await Promise.all([logIn(deps, account), logIn(deps, account)]);
  const before = await readSecrets(deps, accountId);
  await rotateApiSecret(deps, { accountId, test: false });
  const now = await readSecrets(deps, accountId);
  const balance = await room.balance(accountId);

  await close(account);

  for (const { token } of sessions) expect(await findSession(db, token)).toBeUndefined();
  const findSender = openSenderSearch(db);
  for (const secret of [before.secret, now.secret, now.testSecret])
    await expect(findSender(secret)).rejects.toMatchObject({ code: 'E_ACCOUNT_CLOSED' });
  await expect(logIn(deps, account)).rejects.toMatchObject({ code: 'E_ACCOUNT_CLOSED' });
  await expect(logIn(deps, { ...account, password: 'wrong' })).rejects.toMatchObject({
    code: 'E_BAD_CREDENTIALS',
  });
  expect(await readWallet(db, accountId)).toMatchObject({ autoCharge: false, cardId: null });
  expect(await room.balance(accountId)).toBe(balance);
  const { rows } = await sql<{ url: string; cards: number; senders: number }>`
    select (select count(*)::int from senders where account_id = ${accountId}) as senders,
      (select url from webhook_endpoints where account_id = ${accountId}) as url,
      (select count(*)::int from cards where account_id = ${accountId} and removed_at is null) as cards`.execute(
    db,
  );
  expect(rows[0]).toEqual({ url: '', cards: 0, senders: 0 });
  expect(jobsOf(accountId, 'wallet.forget-card')).toHaveLength(1);

  const [mail] = await room.deliver();
  expect(mail).toMatchObject({ to: email, subject: 'Your account is closed' });
  expect(mail?.text).toContain('30 days');
  const list = await adminAccountRoutes({ db })['GET /accounts']?.({} as never);
  expect(list?.accounts.find(({ _id }) => _id === accountId)).toMatchObject({
    active: false,
    closedAt: expect.any(String),
  });
});

test('a webhook whose address is still being checked when the account is closed is not saved', async () => {
  const account = await room.activeAccount();
  const { accountId } = account;
  const webhooks = { ...deps.webhooks, check: () => close(account) };
  await expect(
    changeSetting({ db, webhooks }, accountId, { webhook: 'https://receiver.example/hook' }),
  ).rejects.toMatchObject({ code: 'E_ACCOUNT_CLOSED' });
  const { rows } = await sql`
    select webhook, (select url from webhook_endpoints where account_id = ${accountId}) as url from accounts
    where id = ${accountId}`.execute(db);
  expect(rows).toEqual([{ webhook: '', url: '' }]);
});

test('a sender of a moment ago is refused as soon as a process learns of the closing', async () => {
  const account = await room.activeAccount();
  const { secret } = await readSecrets(deps, account.accountId);
  let hear: (accountId: AccountId) => void = () => {};
  const findSender = openSenderSearch(db, {
    watch: (changed) => {
      hear = changed;
    },
  });
  expect(await findSender(secret)).toMatchObject({ accountId: account.accountId });
  await close(account);
  hear(account.accountId);
  await expect(findSender(secret)).rejects.toMatchObject({ code: 'E_ACCOUNT_CLOSED' });
});

test('what waits is withdrawn and paid back, what is for later too', async () => {
  const account = await room.activeAccount();
  const { accountId } = account;
  await room.addMoney(accountId, 100);
  await sendSms(accountId, 1_200);
  await sendSms(accountId, 3);
  await changeWaiting(
    db,
    sql`lane_id = null, scheduled_at = now() + interval '1 month'`,
    sql`account_id = ${accountId} and batch_id = (
      select id from batches where account_id = ${accountId} and accepted = 3)`,
  );
  // The first message of a chunk is claimed.
  const inHand = await sql<{ price: bigint }>`
    with chunk as (
      select id, ids[1] as first from outbox_chunks
      where account_id = ${accountId} and lane_id <> 0 and cardinality(ids) > 1 limit 1
    ), taken as (update outbox_chunks set ids = ids[2:] where id = (select id from chunk))
    select price_micros as price from messages where id = (select first from chunk)`.execute(db);
  expect(await room.balance(accountId)).toBeLessThan(100_000_000n);

  await close(account);
  expect(jobsOf(accountId, 'outbox.cancel-account')).toHaveLength(3);
  await sweep(accountId);
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from messages where account_id = ${accountId} group by 1 order by 1`.execute(
    db,
  );
  expect(rows).toEqual([
    { status: 'CANCELLED', count: 1_202 },
    { status: 'PENDING', count: 1 },
  ]);
  expect(await room.balance(accountId)).toBe(100_000_000n - (inHand.rows[0]?.price ?? 0n));
});

test('a file that waited for its turn while the account was closed is not even read', async () => {
  const account = await fundedAccount();
  await close(account);
  const sending = sendFile(account.accountId, async function* () {
    yield* [];
    throw new Error('it was read');
  });
  await expect(sending).rejects.toMatchObject({ code: 'E_ACCOUNT_CLOSED' });
});

test('a file in the middle of which the account is closed is refused as a whole, and keeps nobody waiting', async () => {
  const account = await fundedAccount();
  const { accountId } = account;
  const sending = sendFile(accountId, async function* (rows) {
    yield rows(3);
    await close(account);
    yield rows(2);
  });
  await expect(sending).rejects.toMatchObject({ code: 'E_ACCOUNT_CLOSED' });
  expect(await statusesOf(accountId)).toEqual([]);
  expect(await room.balance(accountId)).toBe(10_000_000n);
});

test('a file that ends while the account is being closed waits for what comes of that', async () => {
  for (const closes of [true, false]) {
    const { accountId } = await fundedAccount();
    const closing = await db.startTransaction().execute();
    await sql`update accounts set closed_at = now() where id = ${accountId}`.execute(closing);
    const sending = sendSms(accountId, 3).then(
      () => 'sent',
      ({ code }) => code,
    );
    await untilWaitedFor();
    await (closes ? closing.commit() : closing.rollback()).execute();
    expect(await sending).toBe(closes ? 'E_ACCOUNT_CLOSED' : 'sent');
    expect(await statusesOf(accountId)).toHaveLength(closes ? 0 : 3);
  }
});

test('what is sent after an account was opened again is not swept away', async () => {
  const account = await fundedAccount();
  const { accountId } = account;
  await close(account);
  await reopenAccount(deps, account.email);
  await sendSms(accountId, 3);
  const balance = await room.balance(accountId);
  await sweep(accountId);
  expect(await statusesOf(accountId)).toEqual(['PENDING', 'PENDING', 'PENDING']);
  expect(await room.balance(accountId)).toBe(balance);
});

test('a sweep waits for an account that is being opened, and then cancels nothing', async () => {
  const account = await fundedAccount();
  const { accountId } = account;
  await sendSms(accountId, 3);
  await close(account);
  const opening = await db.startTransaction().execute();
  await sql`update accounts set closed_at = null where id = ${accountId}`.execute(opening);
  const sweeping = sweep(accountId);
  await untilWaitedFor();
  await opening.commit().execute();
  await sweeping;
  expect(await statusesOf(accountId)).toEqual(['PENDING', 'PENDING', 'PENDING']);
});

test('of two who close at once one does, and a session begun at that moment ends', async () => {
  const account = await room.activeAccount();
  const outcomes = await Promise.allSettled([
    close(account),
    close(account),
    ...Array.from({ length: 4 }, () => logIn(deps, account)),
  ]);
  const closed = outcomes.slice(0, 2).filter(({ status }) => status === 'fulfilled');
  expect(closed).toHaveLength(1);
  expect(outcomes.slice(0, 2).find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'E_ACCOUNT_CLOSED' },
  });
  const { rows } = await sql`select from sessions where account_id = ${account.accountId}`.execute(db);
  expect(rows).toHaveLength(0);
  expect((await room.deliver()).filter(({ to }) => to === account.email)).toHaveLength(1);
});

test('a wrong password, another email and the last admin change nothing', async () => {
  const account = await room.activeAccount();
  await expect(close(account, { password: 'wrong password' })).rejects.toMatchObject({
    code: 'E_PASSWORD_WRONG',
  });
  await expect(close(account, { password: '' })).rejects.toMatchObject({ code: 'E_PASSWORD_EMPTY' });
  await expect(close(account, { email: 'other@example.com' })).rejects.toMatchObject({
    code: 'E_CONFIRMATION_DIFFERS',
  });
  await logIn(deps, account);

  const admins = [await room.activeAccount({ admin: true }), await room.activeAccount({ admin: true })];
  const outcomes = await Promise.allSettled(admins.map((admin) => close(admin)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'E_LAST_OWNER' },
  });
});

test('who becomes the last owner while their password is checked stays one', async () => {
  const account = await room.activeAccount();
  const passwords = {
    ...deps.passwords,
    verify: async (given: Parameters<typeof deps.passwords.verify>[0]) => {
      await sql`update accounts set admin = id = ${account.accountId}, admin_role = 'owner'`.execute(db);
      return deps.passwords.verify(given);
    },
  };
  const asked = { ...account, language: 'en_US' as const, address: '192.0.2.1' };
  await expect(closeAccount({ ...deps, passwords }, asked)).rejects.toMatchObject({ code: 'E_LAST_OWNER' });
});

test('a closing that is cut off in the middle leaves the account open and whole', async () => {
  const account = await room.activeAccount();
  const { token } = await logIn(deps, account);
  const cut = {
    ...deps,
    queue: {
      send: async (name: string) => {
        if (name === 'accounts.send-mail') throw new Error('the process was killed');
      },
    },
  };
  await expect(closeAccount(cut, account)).rejects.toThrow('killed');
  expect(await findSession(db, token)).toBeDefined();
  await close(account);
});

test('guessing the password of an open session comes to an end', async () => {
  const account = await room.activeAccount();
  const guesses = [];
  for (let guess = 0; guess < 11; guess += 1)
    guesses.push(await close(account, { password: `guess ${guess}` }).catch(({ code }) => code));
  expect(guesses.at(-1)).toBe('E_TOO_MANY_REQUESTS');
  await expect(close(account)).rejects.toMatchObject({ code: 'E_TOO_MANY_REQUESTS' });
});

test('asking for a link or registering again says that the account is closed, and gives no token', async () => {
  const account = await room.activeAccount();
  await close(account);
  await room.deliver();
  await forgotPassword(deps, account);
  await register(deps, { ...account, password: 'another password' });
  const mails = await room.deliver();
  expect(mails.map(({ subject }) => subject)).toEqual(['Your account is closed', 'Your account is closed']);
  const { rows } = await sql`select from mail_tokens where account_id = ${account.accountId}`.execute(db);
  expect(rows).toHaveLength(0);
});

test('an operator opens it again: the old password, new secrets', async () => {
  const account = await room.activeAccount();
  const { secret } = await readSecrets(deps, account.accountId);
  await expect(reopenAccount(deps, account.email)).rejects.toMatchObject({ code: 'E_ACCOUNT_OPEN' });
  await close(account);
  expect(await reopenAccount(deps, ` ${account.email.toUpperCase()}`)).toBe(account.accountId);
  const { token } = await logIn(deps, account);
  expect(await findSession(db, token)).toBeDefined();
  expect(await openSenderSearch(db)(secret)).toBeUndefined();
  const fresh = await readSecrets(deps, account.accountId);
  expect(await openSenderSearch(db)(fresh.secret)).toMatchObject({ accountId: account.accountId });
  // It can be closed again, but not reopened after the 30 days.
  await close(account);
  await sql`update accounts set closed_at = closed_at - interval '30 days' where id = ${account.accountId}`.execute(
    db,
  );
  await expect(reopenAccount(deps, account.email)).rejects.toMatchObject({ code: 'E_ACCOUNT_OPEN' });
});

test('its days have 24 hours, also where the clocks were changed meanwhile', async () => {
  const { accountId } = await room.activeAccount();
  const reopened = await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ ended: number }>`
      select extract(doy from now() - interval '10 days')::int as ended`.execute(trx);
    // The 366th day of a year can't be said.
    const ended = Math.min(rows[0]?.ended ?? 1, 365);
    const begun = ((ended + 200) % 365) + 1;
    await sql`select set_config('timezone', ${`XST0XDT,J${begun},J${ended}`}, true)`.execute(trx);
    await sql`update accounts set closed_at = now() - interval '720 hours 30 minutes'
      where id = ${accountId}`.execute(trx);
    return markReopened(trx, { accountId, withinDays: 30 });
  });
  expect(reopened).toBe(false);
});

test('once anonymised the email registers again, and nothing opens the old one', async () => {
  const account = await room.activeAccount();
  await close(account);
  expect(await db.transaction().execute((trx) => anonymiseAccount(trx, account.accountId, new Date()))).toBe(
    true,
  );
  await expect(reopenAccount(deps, account.email)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  await expect(logIn(deps, account)).rejects.toMatchObject({ code: 'E_BAD_CREDENTIALS' });
  await room.deliver();
  await register(deps, account);
  const [mail] = await room.deliver();
  expect(mail?.subject).toBe('Activate your account');
  const list = await adminAccountRoutes({ db })['GET /accounts']?.({} as never);
  expect(list?.accounts.find(({ _id }) => _id === account.accountId)?.email).toBe(account.email);
});
