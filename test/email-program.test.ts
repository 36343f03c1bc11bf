import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AccountId } from '../contract/customer/accounts.ts';
import { findContact } from '../server/customer/accounts/index.ts';
import { readUnsubscribeToken } from '../server/customer/opt-outs/index.ts';
import { giveSender } from '../server/customer/senders/index.ts';
import { adjust } from '../server/customer/wallet/index.ts';
import { openDatabase } from '../server/ground/postgres/index.ts';
import { callApi, mailedToken } from './api.ts';
import { insistOnBounce, reportOf } from './bounces.ts';
import { emptyDatabase } from './database.ts';
import { verifyDkim } from './dkim-verifier.ts';
import { openSmtpSink } from './emulators/smtp-sink/smtp-sink.ts';
import { freePort, startProgram } from './program.ts';

const undo: (() => Promise<unknown>)[] = [];
const sink = await openSmtpSink();
const dkim = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = randomBytes(32);
let scene: Awaited<ReturnType<typeof open>>;

const open = async () => {
  const database = await emptyDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-email-'));
  const keyFile = join(dataDir, 'dkim.pem');
  await writeFile(keyFile, dkim.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const bouncePort = await freePort();
  const program = await startProgram({
    dataDir,
    env: {
      DATABASE_URL: database.url,
      SECRET_KEY: key.toString('hex'),
      EMAIL_SMTP_URL: sink.url,
      EMAIL_FROM: 'Posthorn <post@sender.example>',
      EMAIL_DKIM_DOMAIN: 'sender.example',
      EMAIL_DKIM_SELECTOR: 's1',
      EMAIL_DKIM_KEY_FILE: keyFile,
      EMAIL_BOUNCE_DOMAIN: 'bounces.sender.example',
      EMAIL_BOUNCE_HOST: '127.0.0.1',
      EMAIL_BOUNCE_PORT: String(bouncePort),
    },
  });
  await vi.waitFor(() => {
    expect(program.output()).toContain('no provider is set for sms and whatsapp: such messages are refused');
    expect(program.output()).toContain('cards are test cards, whose money pays for simulated messages only');
  });
  const { db, close } = openDatabase({ url: database.url, max: 2, onError: () => {} });
  undo.push(close, program.stop, sink.close, database.drop, () =>
    rm(dataDir, { recursive: true, force: true }),
  );
  const person = { email: 'shop@example.com', password: 'correct horse battery' };
  await callApi(program.url, 'POST /account/register', { body: person });
  const { reply } = await callApi(program.url, 'POST /activate', {
    body: { token: await mailedToken(program.url, person.email) },
  });
  const { reply: profile } = await callApi(program.url, 'GET /account/me/profile', { token: reply.token });
  const deps = {
    db,
    queue: { send: async () => {} },
    contactOf: (id: AccountId) => findContact(db, id),
  };
  await adjust(deps, {
    accountId: profile._id as AccountId,
    by: profile._id as AccountId,
    reason: 'for the test',
    amount: 10,
    idempotencyKey: undefined,
  });
  await giveSender(
    { db, holdOpen: async () => true },
    { accountId: profile._id as AccountId, channel: 'email', sender: 'Shop' },
  );
  const balance = async (): Promise<number> =>
    (await callApi(program.url, 'GET /account/me/profile', { token: reply.token })).reply.balance;
  return { url: program.url, token: reply.token, accountId: profile._id, bouncePort, balance };
};
beforeAll(async () => {
  scene = await open();
});
afterAll(async () => {
  for (const step of undo) await step();
});

test('an email sent by the API arrives signed, and its bounce gives the money back', async () => {
  const before = await scene.balance();
  const { status, reply } = await callApi(scene.url, 'POST /:channel/send', {
    params: { channel: 'email' },
    token: scene.token,
    body: {
      phone: 'somebody@example.com',
      subject: '你好',
      message: 'Hello.',
      html: '<p>Hello.</p>',
      fromPhone: 'Shop',
    },
  });
  expect([status, reply.test]).toEqual([200, false]);
  await vi.waitFor(() => expect(sink.received).toHaveLength(1));
  const [received] = sink.received;
  const raw = received?.raw.toString('latin1') ?? '';
  expect(verifyDkim(raw, dkim.publicKey).valid).toBe(true);
  const mail = await PostalMime.parse(raw);
  expect(mail).toMatchObject({
    from: { name: 'Shop', address: 'post@sender.example' },
    subject: '你好',
    messageId: `<${reply._id}@bounces.sender.example>`,
  });
  const link = mail.headers.find(({ key: name }) => name === 'list-unsubscribe')?.value ?? '';
  expect(readUnsubscribeToken(key, /unsubscribe\/(.*)>/.exec(link)?.[1] ?? '')).toEqual({
    accountId: scene.accountId,
    channel: 'email',
    recipient: 'somebody@example.com',
  });
  expect(await scene.balance()).toBeLessThan(before);
  const statusOf = async (): Promise<object> =>
    (
      await callApi(scene.url, 'GET /batches/:batchId', {
        params: { batchId: reply.batchId },
        token: scene.token,
      })
    ).reply.counts;
  await vi.waitFor(async () => expect(await statusOf()).toMatchObject({ SUCCESS: 1 }));
  await insistOnBounce(scene.bouncePort, received?.from ?? '', reportOf('failed', '5.1.1'));
  expect(await statusOf()).toMatchObject({ FAILED: 1 });
  expect(await scene.balance()).toBe(before);
  expect(sink.violations).toEqual([]);
});
