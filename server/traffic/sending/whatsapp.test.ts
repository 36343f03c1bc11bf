import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { changeWaiting } from '../../../test/chunks.ts';
import { openTestMessages } from '../../../test/messages.ts';
import { findSession, openSenderSearch } from '../../customer/accounts/index.ts';
import { spoolCsv } from '../../ground/csv/index.ts';
import { replyWithError } from '../../http/error-reply.ts';
import { registerRoutes } from '../../http/registering/register-routes.ts';
import { openReceiver } from '../delivery/index.ts';
import { statusRoutes, whatsappRoutes } from '../messages/index.ts';
import { noSubscribers } from '../outbox/index.ts';
import { releaseDue } from '../outbox/testing/index.ts';
import { receiveUpload, sendUpload } from '../uploads/index.ts';
import { sendingRoutes } from './routes.ts';

const room = await openTestMessages();
const { db, accounts } = room;
const app = fastify();
let lane: number;
let other: number;
let device: number;
let messages: Awaited<ReturnType<typeof room.open>>;
let customer: Awaited<ReturnType<typeof room.customer>>;

beforeAll(async () => {
  lane = await room.addLane({ name: 'cloud', channel: 'whatsapp', preference: 1 });
  other = await room.addLane({ name: 'cloud-2', channel: 'whatsapp', preference: 2 });
  await sql`update lanes set session_hours = 24, waba = '1022' where id = any(${[lane, other]})`.execute(db);
  customer = await room.customer();
  const dedicatedTo = [customer.accountId];
  device = await room.addLane({ name: 'wa-hk-abcdefgh', channel: 'whatsapp', dedicatedTo });
  await sql`update lanes set session_hours = 24, source = 'device' where id = ${device}`.execute(db);
  await room.addLane({ name: 'sms', channel: 'sms' });
  await room.addLane({ name: 'email', channel: 'email' });
  await room.addLane({ name: 'simulator', channel: 'whatsapp', simulated: true, preference: 1_000 });
  messages = await room.open();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyWithError);
  registerRoutes(
    app,
    [
      { guard: 'sender', routes: sendingRoutes(messages) },
      { guard: 'sender', routes: statusRoutes(messages) },
      { guard: 'customer', routes: whatsappRoutes(messages) },
    ],
    {
      findSession: (token) => findSession(db, token),
      findSender: openSenderSearch(db),
      limits: accounts.limits,
    },
  );
});
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await app.close();
  await room.close();
});

const ask = async (
  body: object,
  { channel = 'whatsapp', secret = customer.secret, language = 'en', key = '' } = {},
) => {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/${channel}/send`,
    headers: {
      'accept-language': language,
      authorization: `Bearer ${secret}`,
      ...(key && { 'idempotency-key': key }),
    },
    payload: { phone: '+85261110001', ...body },
  });
  return { http: answer.statusCode, ...answer.json() };
};
const read = async (id: string) => {
  const { rows } = await sql<{
    message: string;
    content: Record<string, unknown> | null;
    lane: number;
    why: string | null;
  }>`select message, content, lane_id as lane, lane_why as why from messages where id = ${id}`.execute(db);
  return rows[0];
};
const log = { info: () => {}, warn: () => {}, error: () => {} };
const receiver = openReceiver({
  db,
  log,
  publisher: noSubscribers,
  timing: { gatherMs: 1 },
});
let numbers = 0;
const newNumber = (): string => `+8526222${String(++numbers).padStart(4, '0')}`;

/** We wrote to them, and they wrote back this long ago. */
const converse = async (
  phone: string,
  { hoursAgo = 0, laneId = lane, accountId = customer.accountId as AccountId, id = `wamid.${phone}` } = {},
): Promise<void> => {
  await sql`insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, message,
      sent_at, created_at, updated_at)
    values (gen_random_uuid(), ${accountId}, ${laneId}, 'whatsapp', 'outgoing', 'SUCCESS', ${phone}, ${phone}, 'x',
      now(), now(), now())`.execute(db);
  const at = new Date(Date.now() - hoursAgo * 3_600_000);
  const inbound = { providerMessageId: id, from: phone, to: '+15550783881', text: 'hi', at };
  await receiver.inbound(laneId === lane ? 'cloud' : 'cloud-2', [inbound]);
};

describe('the 24 hours', () => {
  test('free words to somebody who has not written are refused before anybody pays; a template goes', async () => {
    const phone = newNumber();
    const before = await room.balance(customer.accountId);
    expect(await ask({ phone, message: 'hello' })).toMatchObject({
      http: 409,
      code: 'E_NO_SESSION',
      message: expect.stringMatching(/24 hours.*template/),
    });
    expect(await ask({ phone, message: 'hello' }, { language: 'zh-HK' })).toMatchObject({
      message: expect.stringContaining('範本'),
    });
    expect(await room.balance(customer.accountId)).toBe(before);
    expect(await ask({ phone, template: { name: 'hello_world', language: 'en_US' } })).toMatchObject({
      http: 200,
    });
    expect(await room.balance(customer.accountId)).toBe(before - 20_000n);
  });

  test.each([
    [0, 200],
    [23.9, 200],
    [24.1, 409],
  ])('%d hours after they wrote it is answered with %i', async (hoursAgo, http) => {
    const phone = newNumber();
    await converse(phone, { hoursAgo });
    expect(await ask({ phone, message: 'hello' })).toMatchObject({ http });
    expect(await ask({ phone, image: 'https://example.com/a.jpg' })).toMatchObject({ http });
  });

  test('the session began with the first word of it, and is kept with the message', async () => {
    const phone = newNumber();
    await converse(phone, { hoursAgo: 60, id: 'wamid.a' });
    for (const [hoursAgo, id] of [
      [30, 'wamid.b'],
      [20, 'wamid.c'],
      [5, 'wamid.d'],
      // Reported late.
      [25, 'wamid.e'],
    ] as const)
      await converse(phone, { hoursAgo, id });
    const { _id } = await ask({ phone, message: 'hello' });
    const row = await read(_id);
    const since = new Date(String(row?.content?.sessionSince)).getTime();
    expect(Math.round((Date.now() - since) / 3_600_000)).toBe(30);
    const answer = await app.inject({
      url: `/api/account/${customer.accountId}/messages/${_id}/whatsapp`,
      headers: { authorization: customer.token },
    });
    expect(answer.json()).toMatchObject({
      WABA: '1022',
      session: true,
      sessionSince: expect.any(String),
      media: [],
    });
  });

  test('what is scheduled for after the end of the session is refused', async () => {
    const phone = newNumber();
    await converse(phone, { hoursAgo: 20 });
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    expect(await ask({ phone, message: 'hello', sendAt: at(3) })).toMatchObject({ http: 200 });
    expect(await ask({ phone, message: 'hello', sendAt: at(5) })).toMatchObject({ code: 'E_NO_SESSION' });
  });

  test("another account's conversation opens nothing", async () => {
    const phone = newNumber();
    const { accountId } = await room.customer();
    await converse(phone, { accountId });
    expect(await ask({ phone, message: 'hello' })).toMatchObject({ code: 'E_NO_SESSION' });
  });

  test('of several numbers the one goes that the customer wrote to', async () => {
    const phone = newNumber();
    await converse(phone, { laneId: other });
    const { _id } = await ask({ phone, message: 'hello' });
    expect(await read(_id)).toMatchObject({ lane: other });
    const { _id: second } = await ask({ phone, template: { name: 'hello_world', language: 'en_US' } });
    expect(await read(second)).toMatchObject({ lane });
  });

  test('of several numbers the one goes that the customer wrote to, also at a later time', async () => {
    const { accountId, secret } = await room.customer();
    const phone = newNumber();
    await converse(phone, { accountId, laneId: other });
    const later = async (body: object): Promise<string> => {
      const { _id } = await ask({ phone, sendAt: new Date(Date.now() + 60_000), ...body }, { secret });
      await changeWaiting(db, sql`scheduled_at = now() - interval '1 second'`, sql`id = ${_id}`);
      await releaseDue(await room.open());
      return _id;
    };
    expect(await read(await later({ message: 'hello' }))).toMatchObject({ lane: other, why: 'CONVERSATION' });
    const template = { name: 'hello_world', language: 'en_US' };
    expect(await read(await later({ template }))).toMatchObject({ lane });
    await converse(phone, { accountId, id: 'wamid.both' });
    await sql`update whatsapp_sessions set last_at = last_at - interval '1 hour'
      where account_id = ${accountId} and lane_id = ${lane}`.execute(db);
    expect(await read(await later({ message: 'hello' }))).toMatchObject({ lane });
  });

  test('what names no device does not go by one, even if the customer wrote to it', async () => {
    const phone = newNumber();
    await sql`insert into whatsapp_sessions (account_id, customer, lane_id, since, last_at)
      values (${customer.accountId}, ${phone}, ${device}, now(), now())`.execute(db);
    expect(await ask({ phone, message: 'hello' })).toMatchObject({ code: 'E_NO_SESSION' });
  });

  test('through the simulator there is no such rule', async () => {
    expect(await ask({ message: 'hello' }, { secret: customer.testSecret })).toMatchObject({
      http: 200,
      test: true,
    });
  });

  test('a repeat of what was accepted is answered as the first, also when the session is over', async () => {
    const phone = newNumber();
    await converse(phone);
    const first = await ask({ phone, message: 'hello' }, { key: 'one' });
    await sql`update whatsapp_sessions set last_at = now() - interval '2 days' where customer = ${phone}`.execute(
      db,
    );
    expect(await ask({ phone, message: 'hello' }, { key: 'one' })).toEqual(first);
    expect(
      await ask({ phone, image: 'https://example.com/a.jpg', message: 'hello' }, { key: 'one' }),
    ).toMatchObject({
      code: 'E_IDEMPOTENCY_KEY_REUSED',
    });
  });
});

const upload = async (phones: string[], { send }: { send: boolean }) => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-csv-'));
  const rows = phones.map((phone) => `${phone},hello\n`);
  const csv = await spoolCsv(Readable.from([Buffer.from(`phone,message\n${rows.join('')}`)]), folder);
  const received = await receiveUpload(messages, {
    sender: { accountId: customer.accountId, test: false },
    channel: 'whatsapp',
    csv,
    fileName: 'a.csv',
    fields: {},
    idempotencyKey: undefined,
    send,
  });
  await csv.close();
  await rm(folder, { recursive: true, force: true });
  return received.upload;
};

test('rows of a file to customers who may not be written to freely are refused, and cost nothing', async () => {
  const [open, closed, never] = [newNumber(), newNumber(), newNumber()];
  await converse(open);
  await converse(closed, { hoursAgo: 25 });
  const before = await room.balance(customer.accountId);
  expect(await upload([closed, open, never], { send: true })).toMatchObject({
    accepted: 1,
    refused: 2,
    priceMicros: 20_000n,
    samplePhone: open,
    reasons: [{ code: 'E_NO_SESSION', count: 2 }],
  });
  expect(await room.balance(customer.accountId)).toBe(before - 20_000n);
});

test.each([
  ['now', 2, undefined],
  ['at a time after its end', 0, new Date(Date.now() + 5 * 3_600_000).toISOString()],
])(
  'a row whose session has ended when its file is sent, %s, is refused then, and costs nothing',
  async (_, passed, sendAt) => {
    const [open, closing] = [newNumber(), newNumber()];
    await converse(open);
    await converse(closing, { hoursAgo: 23 });
    const { id } = await upload([open, closing], { send: false });
    await sql`update whatsapp_sessions set last_at = last_at - make_interval(hours => ${passed})
    where customer = ${closing}`.execute(db);
    const before = await room.balance(customer.accountId);
    const sender = { accountId: customer.accountId, test: false };
    const sent = await sendUpload(messages, { sender, uploadId: id, when: { sendAt } });
    expect(sent.upload).toMatchObject({
      accepted: 1,
      refused: 1,
      priceMicros: 20_000n,
      reasons: [{ code: 'E_NO_SESSION', count: 1 }],
    });
    expect(await room.balance(customer.accountId)).toBe(before - 20_000n);
    const { rows } = await sql`select recipient, lane_id, lane_why from messages
    where batch_id = ${sent.upload.batchId}`.execute(db);
    expect(rows).toEqual([
      { recipient: open, lane_id: sendAt ? null : lane, lane_why: sendAt ? null : 'CONVERSATION' },
    ]);
  },
);

describe('what a message may be', () => {
  const image = 'https://example.com/a.jpg';
  const template = { name: 'order_update', language: 'zh_HK', parameters: ['42', '今日'] };
  test.each([
    ['an image', { image }, '', { image }],
    ['an image with a caption', { image, message: 'Look' }, 'Look', { image }],
    ['a file with a name', { file: image, fileName: '帳單.pdf' }, '', { file: image, fileName: '帳單.pdf' }],
    ['a video', { video: image }, '', { video: image }],
    ['a template', { template }, 'order_update: 42, 今日', { template }],
    [
      'a template by names',
      { template: { ...template, parameters: { total: '5' } } },
      'order_update: 5',
      { template: { parameters: { total: '5' } } },
    ],
  ])('%s', async (_, body, message, content) => {
    const phone = newNumber();
    await converse(phone);
    const answer = await ask({ phone, ...body });
    expect(answer).toMatchObject({ http: 200, price: 0.02, segments: 1 });
    expect(await read(answer._id)).toMatchObject({ message, content });
  });

  test.each([
    ['nothing', {}, 'E_MESSAGE_EMPTY'],
    ['blanks', { message: '  ' }, 'E_MESSAGE_EMPTY'],
    ['two bodies', { image, video: image }, 'E_INVALID_REQUEST'],
    ['a template and words', { template, message: 'x' }, 'E_INVALID_REQUEST'],
    ['a template and a quote', { template, quotedMessage: 'wamid.x' }, 'E_INVALID_REQUEST'],
    ['a file name without a file', { image, fileName: 'a.jpg' }, 'E_INVALID_REQUEST'],
    ['a file name with a path', { file: image, fileName: '../a.pdf' }, 'E_INVALID_REQUEST'],
    ['an address that is not https', { image: 'http://example.com/a.jpg' }, 'E_INVALID_REQUEST'],
    ['an address that is none', { image: 'a.jpg' }, 'E_INVALID_REQUEST'],
    ['a script', { image: 'javascript:alert(1)' }, 'E_INVALID_REQUEST'],
    ['a caption that is too long', { image, message: 'a'.repeat(1_025) }, 'E_MESSAGE_TOO_LONG'],
    ['a text that is too long', { message: 'a'.repeat(4_097) }, 'E_MESSAGE_TOO_LONG'],
    ['a template without a language', { template: { name: 'a' } }, 'E_FIELD_MISSING'],
    ['a template name with a blank', { template: { ...template, name: 'a b' } }, 'E_INVALID_REQUEST'],
    [
      'a parameter with a line break',
      { template: { ...template, parameters: ['a\nb'] } },
      'E_INVALID_REQUEST',
    ],
    ['an empty parameter', { template: { ...template, parameters: [''] } }, 'E_INVALID_REQUEST'],
    ['two headers', { template: { ...template, header: { text: 'a', image } } }, 'E_INVALID_REQUEST'],
    ['an empty header', { template: { ...template, header: {} } }, 'E_INVALID_REQUEST'],
    ['a field that is unknown', { audio: image, message: 'x' }, 'E_INVALID_REQUEST'],
    [
      'a field of a template that is unknown',
      { template: { ...template, mood: 'good' } },
      'E_INVALID_REQUEST',
    ],
    ['a NUL in a template', { template: { ...template, parameters: ['a\0b'] } }, 'E_MESSAGE_UNSENDABLE'],
    ['a NUL in a name', { template: { ...template, parameters: { a: '\0' } } }, 'E_MESSAGE_UNSENDABLE'],
    ['what is for emails', { message: 'x', subject: 'y' }, 'E_EMAIL_ONLY'],
  ])('%s is refused', async (_, body, code) => {
    const before = await room.balance(customer.accountId);
    expect(await ask(body)).toMatchObject({ http: 400, code });
    expect(await room.balance(customer.accountId)).toBe(before);
  });

  test.each(['template', 'image', 'file', 'video', 'fileName', 'quotedMessage'])(
    'only WhatsApp has %s',
    async (field) => {
      const value =
        field === 'template' ? template : field === 'fileName' || field === 'quotedMessage' ? 'x' : image;
      for (const [channel, phone] of [
        ['sms', '61112222'],
        ['email', 'a@example.com'],
      ] as const)
        expect(await ask({ phone, message: 'x', [field]: value }, { channel })).toMatchObject({
          http: 400,
          code: 'E_WHATSAPP_ONLY',
          message: expect.stringContaining(field),
        });
    },
  );

  test('half a character in a template becomes the mark for one', async () => {
    const odd = { name: 'order_update', language: 'en_US', parameters: ['ab\ud800'] };
    const answer = await ask({ template: odd });
    expect(answer).toMatchObject({ http: 200 });
    expect(await read(answer._id)).toMatchObject({ content: { template: { parameters: ['ab�'] } } });
  });
});

describe('a quoted message', () => {
  test('is known by its own id or by that of WhatsApp, within the account', async () => {
    const phone = newNumber();
    await converse(phone, { id: 'wamid.quoted=' });
    const { rows } = await sql<{ id: string }>`
      select id from messages where provider_message_id = 'wamid.quoted='`.execute(db);
    for (const quotedMessage of ['wamid.quoted=', rows[0]?.id]) {
      const { _id } = await ask({ phone, message: 'yes', quotedMessage });
      expect(await read(_id)).toMatchObject({ content: { quotedMessage: 'wamid.quoted=' } });
    }
    const stranger = await room.customer();
    await converse(phone, { accountId: stranger.accountId, id: 'wamid.theirs' });
    for (const quotedMessage of ['wamid.theirs', 'wamid.nobody', '00000000-0000-4000-8000-000000000000'])
      expect(await ask({ phone, message: 'yes', quotedMessage })).toMatchObject({
        http: 400,
        code: 'E_QUOTED_UNKNOWN',
      });
  });
});

test("nobody sees another account's message", async () => {
  const { _id } = await ask({ template: { name: 'hello_world', language: 'en_US' } });
  const stranger = await room.customer();
  for (const [account, token, http] of [
    [customer.accountId, customer.token, 200],
    [customer.accountId, stranger.token, 404],
    [stranger.accountId, stranger.token, 404],
    [customer.accountId, '', 401],
  ] as const) {
    const answer = await app.inject({
      url: `/api/account/${account}/messages/${_id}/whatsapp`,
      headers: { ...(token && { authorization: token }) },
    });
    expect(answer.statusCode).toBe(http);
    if (http === 200) expect(answer.json()).toMatchObject({ templateName: 'hello_world', session: false });
  }
});
