import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { RetentionMode } from '../../../contract/office/retention.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { messageTasks, readOutcomes } from '../../traffic/messages/index.ts';
import { dropMonth } from '../../traffic/outbox/counters/index.ts';
import { cancelRoutes } from '../../traffic/outbox/index.ts';
import { accept, prepare, readTerms, type SendingDeps } from '../../traffic/sending/index.ts';
import { billingRoutes } from '../billing/index.ts';
import { adminRetentionRoutes } from './admin-routes.ts';
import { carryOut } from './carry-out.ts';
import type { RetentionRule } from './rule.ts';
import { retentionRules } from './rules.ts';
import { retentionTasks } from './tasks.ts';

const DAY = 24 * 3_600_000;
const YEARS_7 = 7 * 365;
const room = await openTestMessages();
const { db } = room;
const mailboxFolder = await mkdtemp(join(tmpdir(), 'posthorn-mailbox-'));
const rules = retentionRules({ mailboxFolder });
const logged: object[] = [];
let deps: SendingDeps;
beforeAll(async () => {
  for (const channel of ['sms', 'email'] as const) await room.addLane({ name: channel, channel });
  deps = await room.open();
});
beforeEach(async () => {
  await sql`truncate retention_log`.execute(db);
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await rm(mailboxFolder, { recursive: true });
  await room.close();
});

const after = (days: number) => new Date(Date.now() + days * DAY);
const run = (now: Date, mode: RetentionMode = 'on', some: RetentionRule[] = rules) =>
  carryOut(
    { db, mode, rules: some, log: { info: (facts) => logged.push(facts) } },
    { now, signal: new AbortController().signal },
  );
/** The first run only counts, the one a day later removes. */
const lookAndRemove = async (days: number) => {
  await run(after(days));
  await run(after(days + 1));
};
const closeNow = (accountId: AccountId) =>
  sql`update accounts set closed_at = now() where id = ${accountId}`.execute(db);
const one = async <T extends object>(query: ReturnType<typeof sql<T>>): Promise<T> =>
  (await query.execute(db)).rows[0] as T;

const ruleOf = (name: RetentionRule['name']) => rules.find((rule) => rule.name === name) as RetentionRule;
/** The rule with a hook just before one of its pieces, the first being 1. */
const disturbed = (rule: RetentionRule, at: number, happen: () => Promise<unknown>): RetentionRule => {
  let pieces = 0;
  return {
    ...rule,
    remove: (given) =>
      rule.remove({
        ...given,
        piece: async (remove) => {
          pieces += 1;
          if (pieces === at) await happen();
          return given.piece(remove);
        },
      }),
  };
};

const send = async (accountId: AccountId, messages: number, channel: 'sms' | 'email' = 'sms') => {
  const terms = await readTerms(deps, { accountId, channel, test: false });
  const to =
    channel === 'sms' ? { recipientRaw: '61234567' } : { recipientRaw: 'someone@example.com', subject: 'Hi' };
  const chunks = async function* () {
    yield Array.from({ length: messages }, () => prepare(terms, { ...to, message: 'Dear friend' }));
  };
  return accept(deps, { accountId, channel, kind: 'CSV', terms, chunks: chunks() });
};
/** The state that a carrier's answers leave. */
const deliverAll = (accountId: AccountId) =>
  sql`with gone as (delete from outbox_chunks where account_id = ${accountId}), sent as (
      update messages set status = 'SUCCESS', sent_at = now(), delivered_at = now(), provider_message_id = id::text
      where account_id = ${accountId} and status = 'PENDING' returning *
    )
    insert into carrier_ids select lane_id, provider_message_id, created_at, id from sent`.execute(db);

/** An account with data in every table. */
const fullAccount = async () => {
  const account = await room.activeAccount();
  const { accountId } = account;
  await room.addMoney(accountId, 50);
  await room.addCard(accountId);
  await send(accountId, 3);
  await send(accountId, 2, 'email');
  await deliverAll(accountId);
  await sql`insert into contacts (account_id, recipient, name) values (${accountId}, '+85261234567', 'A friend')`.execute(
    db,
  );
  await sql`insert into opt_outs (account_id, channel, recipient, source)
    values (${accountId}, 'sms', '+85261111111', 'MANUAL')`.execute(db);
  await sql`insert into webhook_endpoints (account_id) values (${accountId}) on conflict do nothing`.execute(
    db,
  );
  await sql`insert into webhook_events (account_id, type, data) values (${accountId}, 'message.sent', '{}')`.execute(
    db,
  );
  await sql`update message_texts_progress set done_until = now() - interval '1 hour'`.execute(db);
  await sql`delete from message_texts where account_id = ${accountId}`.execute(db);
  await sql`insert into message_texts select account_id, created_at, id, lower(message) from messages
    where account_id = ${accountId}`.execute(db);
  return account;
};

const leftOf = (accountId: AccountId) =>
  one(sql<{
    named: number;
    carrierIds: number;
    texts: number;
    contacts: number;
    optOuts: number;
    events: number;
    email: string;
  }>`
    select
      (select count(*)::int from messages where account_id = ${accountId}
        and (message <> '' or recipient <> '' or recipient_raw <> '' or subject is not null
          or provider_message_id is not null)) as named,
      (select count(*)::int from carrier_ids c join messages m on m.id = c.message_id
        where m.account_id = ${accountId}) as "carrierIds",
      (select count(*)::int from message_texts where account_id = ${accountId}) as texts,
      (select count(*)::int from contacts where account_id = ${accountId}) as contacts,
      (select count(*)::int from opt_outs where account_id = ${accountId}) as "optOuts",
      (select count(*)::int from webhook_events where account_id = ${accountId}) as events,
      (select email from accounts where id = ${accountId}) as email`);

const DEVICE = 'wa-hk-abcdefgh';
test('a closed account keeps all for 30 days, is looked at first, and then tells of nobody', async () => {
  const account = await fullAccount();
  const { accountId, email } = account;
  await sql`update messages set sender = case channel when 'sms' then ${DEVICE} else 'someone@example.com' end
    where account_id = ${accountId}`.execute(db);
  const whole = { named: 5, carrierIds: 5, texts: 5, contacts: 1, optOuts: 1, events: 1, email };
  await closeNow(accountId);
  await lookAndRemove(28);
  expect(await leftOf(accountId)).toEqual(whole);
  await run(after(31), 'dry-run');
  expect(await leftOf(accountId)).toEqual(whole);
  const dry = await sql<{ rule: string; rows: bigint }>`
    select rule, rows from retention_log where dry_run and rows > 0 order by id`.execute(db);
  expect(dry.rows).toContainEqual({ rule: 'closed-messages', rows: 5n });
  expect(dry.rows).toContainEqual({ rule: 'closed-profile', rows: 1n });

  await run(after(32));
  expect(await leftOf(accountId)).toEqual({
    named: 0,
    carrierIds: 0,
    texts: 0,
    contacts: 0,
    optOuts: 0,
    events: 0,
    email: `closed-${accountId}@closed.invalid`,
  });
  const kept = await one(sql<object>`
    select former_email, anonymised_at is not null as anonymised,
      (select count(*)::int from messages where account_id = accounts.id and status = 'SUCCESS' and price_micros > 0
        and country <> '' or account_id = accounts.id and channel = 'email') as records,
      (select count(*)::int from batches where account_id = accounts.id) as batches
    from accounts where id = ${accountId}`);
  expect(kept).toEqual({ former_email: email, anonymised: true, records: 5, batches: 2 });
  // The bill's items by device stay as they were.
  const { rows: senders } = await sql<object>`
    select sender, count(*)::int as messages, (select sum(messages)::int from message_counts c
      where c.account_id = m.account_id and c.device = coalesce(m.sender, '') and c.status = 'SUCCESS') as counted
    from messages m where account_id = ${accountId} group by account_id, sender order by sender`.execute(db);
  expect(senders).toEqual([
    { sender: DEVICE, messages: 3, counted: 3 },
    { sender: null, messages: 2, counted: 2 },
  ]);
  const done = await sql<object>`
    select rule, rows::int as rows, up_to is not null as told, ended_at is not null as ended
    from retention_log where not dry_run and rows > 0 order by id`.execute(db);
  expect(done.rows).toEqual([
    { rule: 'closed-messages', rows: 5, told: true, ended: true },
    { rule: 'closed-texts', rows: 5, told: true, ended: true },
    { rule: 'closed-contacts', rows: 1, told: true, ended: true },
    { rule: 'closed-opt-outs', rows: 1, told: true, ended: true },
    { rule: 'closed-webhooks', rows: 2, told: true, ended: true },
    { rule: 'closed-profile', rows: 1, told: true, ended: true },
  ]);
  // Nothing is left to do.
  await run(after(33));
  expect(
    (await sql`select from retention_log where rows > 0 and ran_at > ${after(32.5)}`.execute(db)).rows,
  ).toEqual([]);
});

test('after seven years the records and whose they were go, the ledger stays', async () => {
  const open = await fullAccount();
  const { accountId } = await fullAccount();
  await closeNow(accountId);
  await lookAndRemove(32);
  await lookAndRemove(YEARS_7 - 3);
  const books = () =>
    one(sql<{ messages: number; former: string | null; last4: string; forgotten: boolean }>`
      select (select count(*)::int from messages where account_id = a.id) as messages, former_email as former,
        (select last4 from cards where account_id = a.id) as last4, forgotten_at is not null as forgotten
      from accounts a where id = ${accountId}`);
  expect(await books()).toMatchObject({ messages: 5, last4: '4242', forgotten: false });
  const entries = await sql`select * from ledger_entries where account_id = ${accountId} order by id`.execute(
    db,
  );
  await lookAndRemove(YEARS_7 + 1);
  expect(await books()).toEqual({ messages: 0, former: null, last4: '0000', forgotten: true });
  expect(
    (await sql`select * from ledger_entries where account_id = ${accountId} order by id`.execute(db)).rows,
  ).toEqual(entries.rows);
  expect(await leftOf(open.accountId)).toMatchObject({ named: 5, contacts: 1, email: open.email });
});

test('off does nothing, and a period that was changed is looked at again', async () => {
  const { accountId } = await fullAccount();
  await closeNow(accountId);
  await run(after(40), 'off');
  expect((await sql`select from retention_log`.execute(db)).rows).toEqual([]);
  await run(after(40));
  const [messages, ...others] = rules as [RetentionRule, ...RetentionRule[]];
  const changed = [{ ...messages, days: 25 }, ...others];
  await run(after(41), 'on', changed);
  // The messages are still there, so the profile stays; the rest was removed.
  expect(await leftOf(accountId)).toMatchObject({
    named: 5,
    contacts: 0,
    email: expect.not.stringContaining('invalid'),
  });
  // A second run on the same day does not count as a second day.
  await run(new Date(after(41).getTime() + 3_600_000), 'on', changed);
  expect(await leftOf(accountId)).toMatchObject({ named: 5 });
  await run(after(42), 'on', changed);
  expect(await leftOf(accountId)).toMatchObject({ named: 0, email: expect.stringContaining('invalid') });
});

test('what still waits keeps its text and the account waits with it', async () => {
  const { accountId } = await fullAccount();
  await send(accountId, 1);
  await closeNow(accountId);
  await lookAndRemove(31);
  expect(await leftOf(accountId)).toMatchObject({ named: 1, email: expect.not.stringContaining('invalid') });
  await deliverAll(accountId);
  await run(after(33));
  expect(await leftOf(accountId)).toMatchObject({ named: 0, email: expect.stringContaining('invalid') });
});

test('one that was opened again in the last moment loses nothing more', async () => {
  const { accountId, email } = await fullAccount();
  await closeNow(accountId);
  await run(after(31));
  await sql`update accounts set closed_at = null where id = ${accountId}`.execute(db);
  await run(after(32));
  expect(await leftOf(accountId)).toMatchObject({ named: 5, contacts: 1, email });
});

test.each([
  ['opened again', null],
  ['opened and closed again', after(5)],
])('one that is %s in the middle of a run keeps the rest', async (_, closedAt) => {
  const { accountId, email } = await fullAccount();
  await sql`insert into contacts (account_id, recipient)
    select ${accountId}, '+8529' || n from generate_series(1000000, 1004999) n`.execute(db);
  await closeNow(accountId);
  await run(after(31));
  const change = () => sql`update accounts set closed_at = ${closedAt} where id = ${accountId}`.execute(db);
  const contacts = disturbed(ruleOf('closed-contacts'), 2, change);
  await run(after(32), 'on', [contacts, ruleOf('closed-messages'), ruleOf('closed-profile')]);
  expect(await leftOf(accountId)).toMatchObject({ named: 5, contacts: 3_001, email });
  const log = await one(sql<object>`
    select rows::int as rows, ended_at is not null as ended from retention_log
    where rule = 'closed-contacts' and not dry_run`);
  expect(log).toEqual({ rows: 2_000, ended: true });
});

test('one that is opened again just before its profile goes keeps it', async () => {
  const { accountId, email } = await fullAccount();
  await closeNow(accountId);
  await run(after(31));
  const names = rules.slice(0, rules.indexOf(ruleOf('closed-profile')));
  const change = () => sql`update accounts set closed_at = ${after(5)} where id = ${accountId}`.execute(db);
  await run(after(32), 'on', [...names, disturbed(ruleOf('closed-profile'), 1, change)]);
  expect(await leftOf(accountId)).toMatchObject({ named: 0, contacts: 0, email });
});

test('what is due is told by the clock of the database, not of this process', async () => {
  const { accountId } = await fullAccount();
  await closeNow(accountId);
  const given = { db, mode: 'on' as const, rules, log: { info: () => {} } };
  const list = async () =>
    (await adminRetentionRoutes(given)['GET /admin/retention']?.({ language: 'en_US' } as never))?.rules[0];
  const before = await list();
  vi.useFakeTimers({ toFake: ['Date'], now: after(40) });
  try {
    expect(await list()).toMatchObject({ due: before?.due });
    await retentionTasks(given)['retention.carry-out']?.run({}, new AbortController().signal);
  } finally {
    vi.useRealTimers();
  }
  const { late } = await one(sql<{ late: boolean }>`
    select bool_or(cutoff > now()) as late from retention_log`);
  expect(late).toBe(false);
  const { rows } = await one(sql<{ rows: number }>`
    select rows::int as rows from retention_log where rule = 'closed-messages'`);
  expect(rows).toBe(before?.due);
  await sql`update accounts set closed_at = null where id = ${accountId}`.execute(db);
});

test('a run that is killed in the middle has logged what it removed, and the next one does the rest', async () => {
  const { accountId } = await fullAccount();
  await sql`insert into contacts (account_id, recipient)
    select ${accountId}, '+8529' || n from generate_series(1000000, 1004999) n`.execute(db);
  await closeNow(accountId);
  await run(after(31));
  const stop = new AbortController();
  let pieces = 0;
  const contacts = rules.find(({ name }) => name === 'closed-contacts') as RetentionRule;
  const dying: RetentionRule = {
    ...contacts,
    remove: (given) =>
      contacts.remove({
        ...given,
        piece: async (remove) => {
          const done = await given.piece(remove);
          pieces += 1;
          if (pieces === 2) throw new Error('killed');
          return done;
        },
      }),
  };
  await expect(
    carryOut(
      { db, mode: 'on', rules: [dying], log: { info: () => {} } },
      { now: after(32), signal: stop.signal },
    ),
  ).rejects.toThrow('killed');
  const { left } = await one(
    sql<{ left: number }>`select count(*)::int as left from contacts where account_id = ${accountId}`,
  );
  expect(left).toBe(5_001 - 4_000);
  const cut = await one(sql<object>`
    select rows::int as rows, ended_at from retention_log where rule = 'closed-contacts' and not dry_run`);
  expect(cut).toEqual({ rows: 4_000, ended_at: null });
  await run(after(33));
  expect(await leftOf(accountId)).toMatchObject({ contacts: 0 });
});

test('a month in which only forgotten accounts wrote is dropped as a whole, another stays', async () => {
  await sql`select messages_make_partition('2015-03-01'), messages_make_partition('2015-04-01')`.execute(db);
  const gone = await fullAccount();
  const open = await fullAccount();
  const into = (accountId: AccountId, day: string) =>
    sql`insert into messages (id, account_id, channel, type, status, recipient_raw, recipient, message, created_at,
        updated_at)
      select gen_random_uuid(), ${accountId}, 'sms', 'outgoing', 'SUCCESS', '', '', '',
        ${day}::timestamptz + n * interval '1 second', now() from generate_series(1, 50) n`.execute(db);
  await into(gone.accountId, '2015-03-10');
  await into(gone.accountId, '2015-04-10');
  await into(open.accountId, '2015-04-11');
  await sql`update accounts set closed_at = '2016-01-01', anonymised_at = '2016-03-01' where id = ${gone.accountId}`.execute(
    db,
  );
  const counts = () => one(sql<object>`select sum(messages) as messages from message_counts`);
  const before = await counts();
  await lookAndRemove(0);
  const months = await one(sql<object>`
    select to_regclass('messages_2015_03') as march, to_regclass('message_texts_2015_03') as texts,
      to_regclass('messages_2015_04')::text as april`);
  expect(months).toEqual({ march: null, texts: null, april: 'messages_2015_04' });
  const { left } = await one(
    sql<{ left: number }>`select count(*)::int as left from messages where created_at < '2016-01-01'`,
  );
  expect(left).toBe(50);
  expect(await counts()).toEqual(before);
  const { rows } = await one(
    sql<{
      rows: number;
    }>`select rows::int as rows from retention_log where rule = 'closed-records' and not dry_run`,
  );
  // A hundred old ones and five of today.
  expect(rows).toBe(105);
});

/** A month that only this account wrote in, long ago. */
const writeMonth = async (accountId: AccountId, month: string) => {
  await sql`select messages_make_partition(${`${month}-01`}::date)`.execute(db);
  await sql`insert into messages (id, account_id, channel, type, status, recipient_raw, recipient, message, created_at,
      updated_at)
    select gen_random_uuid(), ${accountId}, 'sms', 'outgoing', 'SUCCESS', '', '', '',
      ${`${month}-10`}::timestamptz + n * interval '1 second', now() from generate_series(1, 50) n`.execute(
    db,
  );
};
const rowsIn = async (name: string) =>
  (await one(sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}`)).count;

test('a month of an account that still names somebody stays whole', async () => {
  const { accountId } = await fullAccount();
  await writeMonth(accountId, '2014-05');
  await sql`update accounts set closed_at = '2016-01-01' where id = ${accountId}`.execute(db);
  const records = [ruleOf('closed-records')];
  await run(after(0), 'on', records);
  await run(after(1), 'on', records);
  expect(await rowsIn('messages_2014_05')).toBe(50);
});

test('a month that somebody reads is emptied now and dropped by the next run', async () => {
  const { accountId } = await fullAccount();
  await writeMonth(accountId, '2014-06');
  await sql`update accounts set closed_at = '2016-01-01', anonymised_at = '2016-03-01'
    where id = ${accountId}`.execute(db);
  const records = [ruleOf('closed-records')];
  await run(after(0), 'on', records);
  const reading = await db.startTransaction().execute();
  await sql`select from messages limit 1`.execute(reading);
  await run(after(1), 'on', records);
  expect(await rowsIn('messages_2014_06')).toBe(0);
  await reading.commit().execute();
  await run(after(2), 'on', records);
  expect(await one(sql<object>`select to_regclass('messages_2014_06') as month`)).toEqual({ month: null });
});

test('readers wait a tenth of a second at most for a month that is dropped', async () => {
  const { accountId } = await fullAccount();
  await writeMonth(accountId, '2014-07');
  const patience = await db.transaction().execute(async (trx) => {
    expect(await dropMonth(trx, { name: '2014_07', accountIds: [accountId] })).toBe(50);
    return (await sql<object>`select current_setting('lock_timeout') as most`.execute(trx)).rows[0];
  });
  expect(patience).toEqual({ most: '100ms' });
});

test('copies of mails on this machine go after 60 days', async () => {
  const old = new Date(Date.now() - 59 * DAY);
  await writeFile(join(mailboxFolder, 'old.eml'), 'mail');
  await writeFile(join(mailboxFolder, 'new.eml'), 'mail');
  await utimes(join(mailboxFolder, 'old.eml'), old, old);
  await lookAndRemove(0);
  expect((await readdir(mailboxFolder)).sort()).toEqual(['new.eml']);
});

test('an admin sees every rule, what is due, and what was removed', async () => {
  const { accountId } = await fullAccount();
  await sql`update accounts set closed_at = now() - interval '31 days' where id = ${accountId}`.execute(db);
  const routes = (mode: RetentionMode) =>
    adminRetentionRoutes({ db, mode, rules, log: { info: () => {} } })['GET /admin/retention'];
  const read = async (mode: RetentionMode = 'on') => routes(mode)?.({ language: 'en_US' } as never);
  const first = await read();
  expect(first?.rules.map(({ name }) => name)).toEqual(rules.map(({ name }) => name));
  expect(first?.rules[0]).toMatchObject({ days: 30, due: 5, nextIsDry: true, last: null });
  await run(new Date());
  expect((await read())?.rules[0]).toMatchObject({
    due: 5,
    nextIsDry: false,
    last: { dryRun: true, rows: 5 },
  });
  expect((await read('dry-run'))?.rules[0]).toMatchObject({ nextIsDry: true });
  await run(after(1));
  const last = await read();
  expect(last?.rules[0]).toMatchObject({ due: 0, last: { dryRun: false, rows: 5 } });
  expect(last?.log.filter(({ dryRun }) => !dryRun).map(({ rule }) => rule)).toContain('closed-profile');
});

/** Of every month that has one, with its days. */
const billsOf = async (accountId: AccountId) => {
  const routes = billingRoutes(room.deps);
  const asked = { caller: { accountId }, params: { accountId }, language: 'en_US' };
  const dates = (await routes['GET /account/:accountId/billingDates']?.(asked as never))?.dates ?? [];
  const bills = [];
  for (const date of dates) {
    const month = { ...asked, query: { date } } as never;
    bills.push(await routes['GET /account/:accountId/billing']?.(month));
    bills.push(await routes['GET /account/:accountId/billing/days']?.(month));
  }
  return bills;
};

const step = fc.record({
  kind: fc.constantFrom('SEND', 'EMAIL', 'FAIL', 'DELIVER', 'CANCEL'),
  messages: fc.integer({ min: 1, max: 4 }),
  pick: fc.nat(),
});

test('whatever was sent, removing changes no ledger, no bill and no counter', {
  timeout: 120_000,
}, async () => {
  const cancel = cancelRoutes({ db, queue: room.deps.queue })['POST /batches/:batchId/cancel'];
  const history = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 8 }),
    closed: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(history, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(32, YEARS_7 + 3, YEARS_7 + 70),
      async (histories, days) => {
        await sql`truncate retention_log`.execute(db);
        const accountIds: AccountId[] = [];
        for (const { steps, closed } of histories) {
          const accountId = await room.funded(50);
          accountIds.push(accountId);
          const sent: BatchId[] = [];
          for (const { kind, messages, pick } of steps) {
            const batchId = sent[pick % Math.max(sent.length, 1)];
            if (kind === 'DELIVER') await deliverAll(accountId);
            else if (kind === 'CANCEL' && batchId)
              await cancel?.({ sender: { accountId, test: false }, params: { batchId } } as never);
            else if (kind === 'FAIL' && batchId)
              await sql`update messages set status = 'FAILED' where account_id = ${accountId}
                and batch_id = ${batchId} and status = 'PENDING'`.execute(db);
            else {
              const answer = await send(accountId, messages, kind === 'EMAIL' ? 'email' : 'sms');
              if (answer) sent.push(answer.batchId);
            }
          }
          await deliverAll(accountId);
          if (closed) await closeNow(accountId);
        }
        const hour = new Date();
        hour.setUTCMinutes(0, 0, 0);
        const span = { from: new Date(hour.getTime() - DAY), to: new Date(hour.getTime() + DAY) };
        const look = async () => ({
          ledger: await one(sql<object>`select count(*) as entries, sum(available_micros) as available,
            (select sum(amount_micros) from ledger_postings) as postings,
            (select sum(balance_micros) from wallets) as balances from ledger_entries`),
          counters: (
            await sql`select account_id, hour, channel, type, status, test, country, unit_micros, sum(messages) as n,
              sum(segments) as s, sum(price_micros) as p from message_counts
              group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(messages) <> 0 order by 1, 2, 3, 4, 5, 6, 7, 8`.execute(
              db,
            )
          ).rows,
          deliveries: (
            await sql`select account_id, hour, sum(messages) as n from delivery_counts
              group by 1, 2 having sum(messages) <> 0 order by 1, 2`.execute(db)
          ).rows,
          bills: await Promise.all(accountIds.map(billsOf)),
          outcomes: await Promise.all(accountIds.map((id) => readOutcomes(db, id, span))),
        });
        const before = await look();
        if (days > YEARS_7) await lookAndRemove(32);
        await lookAndRemove(days);
        expect(await look()).toEqual(before);
        const { left } = await one(sql<{ left: number }>`
          select count(*)::int as left from messages join accounts on accounts.id = account_id
          where account_id = any(${accountIds}::uuid[]) and closed_at is not null and recipient <> ''`);
        expect(left).toBe(0);
      },
    ),
    { numRuns: 12 },
  );
});

test('texts that are copied after the removal are empty ones', async () => {
  const { accountId } = await fullAccount();
  await closeNow(accountId);
  await lookAndRemove(31);
  await messageTasks(deps)['messages.copy-texts']?.run({}, new AbortController().signal);
  const { rows } =
    await sql`select from message_texts where account_id = ${accountId} and text <> ''`.execute(db);
  expect(rows).toEqual([]);
});
