import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { pdfText } from '../../../test/pdf-text.ts';
import { findSession, openSenderSearch } from '../../customer/accounts/index.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { statusRoutes } from '../../traffic/messages/index.ts';
import { outboxTasks } from '../../traffic/outbox/index.ts';
import { sendingRoutes } from '../../traffic/sending/index.ts';
import { billingFiles, billingRoutes } from './routes.ts';

const room = await openTestMessages();
const { db, customer } = room;
await room.addLane({ name: 'sms', channel: 'sms' });
await room.addLane({ name: 'email', channel: 'email' });
await room.addLane({ name: 'simulator', channel: 'sms', simulated: true });
const messages = await room.open();
const tasks = outboxTasks({ db, log: { info: () => {}, warn: () => {}, error: () => {} } });
const app = fastify();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
const guards = {
  findSession: (token: string) => findSession(db, token),
  findSender: openSenderSearch(db),
  limits: room.accounts.limits,
};
registerRoutes(
  app,
  [
    { guard: 'sender', routes: sendingRoutes(messages) },
    { guard: 'sender', routes: statusRoutes(messages) },
    { guard: 'customer', routes: billingRoutes(room.deps), files: billingFiles(room.deps) },
  ],
  guards,
);
afterAll(async () => {
  await app.close();
  await room.close();
});

const ask = (
  call: string,
  { bearer, body, language = 'en-US' }: { bearer?: string; body?: object; language?: string } = {},
) => {
  const [method, path] = call.split(' ') as ['GET' | 'POST', string];
  return app.inject({
    method,
    url: `/api${path}`,
    headers: { 'accept-language': language, ...(bearer && { authorization: `Bearer ${bearer}` }) },
    ...(body && { payload: body }),
  });
};

/** A message as it would have been created at this moment; also creates its partition. */
const makeMessage = async (accountId: AccountId, at: string): Promise<void> => {
  await sql`select messages_make_partition((${at}::timestamptz at time zone 'UTC')::date)`.execute(db);
  await sql`insert into messages (id, account_id, channel, type, status, recipient_raw, recipient, country, message,
      segment, price_micros, created_at, updated_at)
    values (gen_random_uuid(), ${accountId}, 'sms', 'outgoing', 'SUCCESS', '', '', 'HK', '', 2, 64102, ${at}, ${at})`.execute(
    db,
  );
};

test('the bill lists what was sent by its price, and not what the test secret sent', async () => {
  const { accountId, token, secret, testSecret } = await customer();
  const sms = { phone: '61112222', message: 'hello' };
  for (const bearer of [secret, secret, testSecret]) await ask('POST /sms/send', { bearer, body: sms });
  await ask('POST /sms/send', { bearer: secret, body: { phone: '+6591234567', message: 'x'.repeat(161) } });
  await ask('POST /email/send', {
    bearer: secret,
    body: { phone: 'a@example.com', subject: 'Hi', message: 'hello' },
  });
  const bill = (await ask(`GET /account/${accountId}/billing`, { bearer: token })).json();
  const usage = {
    kind: 'usage',
    deviceId: null,
    unitPrice: 0.032051,
    unit: 'segment',
    units: 2,
    total: 0.064102,
  };
  expect(bill).toMatchObject({
    usageInfo: {
      sms: {
        total: 0.128204,
        items: [
          { ...usage, displayName: 'Hong Kong' },
          { ...usage, displayName: 'Singapore' },
        ],
      },
      email: { total: 0.001, items: [{ displayName: 'Email', unit: 'email', units: 1, unitPrice: 0.001 }] },
      whatsapp: { total: 0, items: [] },
    },
    billingTotal: 0.129204,
  });
  const chinese = (
    await ask(`GET /account/${accountId}/billing?date=${bill.date}`, { bearer: token, language: 'zh-HK' })
  ).json();
  expect(chinese.usageInfo.sms.items.map((item: { displayName: string }) => item.displayName)).toEqual([
    '香港',
    '新加坡',
  ]);
  // A day stands for its month.
  const byDay = await ask(`GET /account/${accountId}/billing?date=${bill.date}-15`, { bearer: token });
  expect(byDay.json()).toEqual(bill);
  expect((await ask(`GET /account/${accountId}/billingDates`, { bearer: token })).json()).toEqual({
    dates: [bill.date],
  });
});

test('a message at 23:59 and one at 00:01 Hong Kong time fall on their days and months', async () => {
  const { accountId, token } = await customer();
  // The last day of January in Hong Kong, in UTC still the afternoon of it, and the first of February.
  await makeMessage(accountId, '2026-01-31T15:59:00Z');
  await makeMessage(accountId, '2026-01-31T16:01:00Z');
  for (const [date, day] of [
    ['2026-01', '2026-01-31'],
    ['2026-02', '2026-02-01'],
  ] as const) {
    const { days } = (
      await ask(`GET /account/${accountId}/billing/days?date=${date}`, { bearer: token })
    ).json();
    expect(days).toHaveLength(date === '2026-01' ? 31 : 28);
    const busy = days.filter(({ sms }: { sms: { messages: number } }) => sms.messages > 0);
    expect(busy).toMatchObject([{ date: day, sms: { messages: 1, spent: 0.064102 } }]);
    const bill = (await ask(`GET /account/${accountId}/billing?date=${date}`, { bearer: token })).json();
    expect(bill).toMatchObject({ date, billingTotal: 0.064102 });
  }
  const { dates } = (await ask(`GET /account/${accountId}/billingDates`, { bearer: token })).json();
  expect(dates.slice(-2)).toEqual(['2026-02', '2026-01']);
});

test('the last 30 days are told by outcome, each delivery once, without what is older or for tests', async () => {
  const { accountId, token, secret, testSecret } = await customer();
  const body = { phone: '61112222', message: 'hello' };
  const ids: string[] = [];
  for (const bearer of [secret, secret, secret, testSecret])
    ids.push((await ask('POST /sms/send', { bearer, body })).json()._id);
  await makeMessage(accountId, new Date(Date.now() - 40 * 86_400_000).toISOString());
  const all = sql`id = any(${ids}::uuid[])`;
  await sql`update messages set status = 'SUCCESS', sent_at = now() where ${all}`.execute(db);
  await sql`update messages set delivered_at = now() where ${all} and id <> ${ids[0]}`.execute(db);
  // A read receipt arrives later and does not change the delivery.
  await sql`update messages set read_at = now() where ${all}`.execute(db);
  await sql`update messages set status = 'FAILED' where id = ${ids[0]}`.execute(db);
  const told = { messages: 3, sent: 2, delivered: 2, failed: 1, spent: 0.096153 };
  expect((await ask(`GET /account/${accountId}/glance`, { bearer: token })).json()).toEqual(told);
  for (const task of Object.keys(tasks).filter((name) => name.startsWith('outbox.fold')))
    await tasks[task]?.run({}, new AbortController().signal);
  expect((await ask(`GET /account/${accountId}/glance`, { bearer: token })).json()).toEqual(told);
  // One that an admin resolved as failed is not among those sent, though it was delivered before.
  await sql`update messages set status = 'FAILED' where id = ${ids[1]}`.execute(db);
  expect((await ask(`GET /account/${accountId}/glance`, { bearer: token })).json()).toEqual({
    ...told,
    sent: 1,
    delivered: 1,
    failed: 2,
  });
});

test('the statement is a PDF in the language of the reader', async () => {
  const { accountId, token } = await customer();
  await makeMessage(accountId, '2026-01-31T15:59:00Z');
  for (const language of ['en-US', 'zh-HK']) {
    const answer = await ask(`GET /account/${accountId}/statement.pdf?date=2026-01`, {
      bearer: token,
      language,
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/pdf');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="statement-2026-01.pdf"');
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect(answer.rawPayload.includes(`/Lang (${language})`)).toBe(true);
  }
});

test('the statement tells what was sent, what it cost and how the balance went', async () => {
  const { accountId, token, secret } = await customer();
  await ask('POST /sms/send', { bearer: secret, body: { phone: '61112222', message: 'x'.repeat(161) } });
  await ask('POST /email/send', {
    bearer: secret,
    body: { phone: 'a@example.com', subject: 'Hi', message: 'hello' },
  });
  const read = async (language: string) => {
    const path = `GET /account/${accountId}/statement.pdf`;
    const lines = pdfText((await ask(path, { bearer: token, language })).rawPayload);
    const after = (label: string) => lines[lines.indexOf(label) + 1];
    return { lines, after };
  };
  const { lines, after } = await read('en-US');
  expect(lines).toContain(accountId);
  // The total is at the top, then each channel's with its rows.
  expect(lines.filter((line) => line.startsWith('USD ')).slice(0, 3)).toEqual([
    'USD 0.065102',
    'USD 0.064102',
    'USD 0.001',
  ]);
  const row = lines.indexOf('Hong Kong');
  expect(lines.slice(row, row + 4)).toEqual(['Hong Kong', '0.032051 per segment', '2', '0.064102']);
  const balance = {
    'At the beginning': 'USD 0.00',
    Adjustments: 'USD 1.00',
    'Messages, less refunds': 'USD -0.065102',
    'At the end': 'USD 0.934898',
  };
  for (const [label, amount] of Object.entries(balance)) expect(after(label), label).toBe(amount);
  const chinese = await read('zh-HK');
  expect(chinese.lines).toContain('香港');
  for (const [label, amount] of [
    ['期初結餘', 'USD 0.00'],
    ['調整', 'USD 1.00'],
    ['訊息費用（已扣除退款）', 'USD -0.065102'],
    ['期末結餘', 'USD 0.934898'],
  ] as const)
    expect(chinese.after(label), label).toBe(amount);
});

test("another's bill, days and statement do not exist, a guest has to sign in, and a bad month is refused", async () => {
  const [mine, theirs] = [await customer(), await customer()];
  for (const path of ['billing', 'billingDates', 'glance', 'billing/days', 'statement.pdf']) {
    expect((await ask(`GET /account/${theirs.accountId}/${path}`, { bearer: mine.token })).statusCode).toBe(
      404,
    );
    expect((await ask(`GET /account/${mine.accountId}/${path}`)).statusCode).toBe(401);
    if (path === 'billingDates' || path === 'glance') continue;
    for (const date of ['2026-13', '2026-1', 'x', '2026-01-32', "2026-01'"])
      expect(
        (
          await ask(`GET /account/${mine.accountId}/${path}?date=${encodeURIComponent(date)}`, {
            bearer: mine.token,
          })
        ).statusCode,
        `${path} ${date}`,
      ).toBe(400);
  }
});
