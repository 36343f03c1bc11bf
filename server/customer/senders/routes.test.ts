import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { SenderView } from '../../../contract/customer/senders.ts';
import { startDnsServer } from '../../../test/emulators/dns-server.ts';
import { openTestLists } from '../../../test/list-app.ts';
import type { Mail } from '../../ground/mail/index.ts';
import { listLentNumbers } from '../../traffic/lanes/index.ts';
import { logIn, readProfile } from '../accounts/index.ts';
import { addSender } from './add-sender.ts';
import { openTxtResolver } from './resolve-txt.ts';
import { senderTasks } from './tasks.ts';

const records = new Map<string, string[]>();
let isDnsDown = false;
const dns = await startDnsServer({ textsOf: (name) => (isDnsDown ? undefined : (records.get(name) ?? [])) });
const room = await openTestLists({ resolveTxt: openTxtResolver({ servers: [dns.server] }) });
const { ask, db, customer } = room;
afterAll(async () => {
  await room.close();
  await dns.close();
});
beforeEach(() => {
  isDnsDown = false;
  room.jobs.length = 0;
});

const senders = (accountId: string) => `/account/${accountId}/senders`;
const mailer = (sent: Mail[]) => ({
  send: async (mail: Mail) => {
    sent.push(mail);
    return { outcome: 'accepted' as const };
  },
  close: async () => {},
});
/** Sends the mails that wait, and returns the code of the last one. */
const mailed = async (): Promise<{ mail: Mail | undefined; code: string }> => {
  const sent: Mail[] = [];
  const tasks = senderTasks({
    db,
    secretKey: room.accounts.secretKey,
    mailer: mailer(sent),
    publicUrl: () => 'https://posthorn.example',
    log: { warn: () => {} },
  });
  for (const { name, data } of room.jobs.splice(0))
    await tasks[name]?.run(data, new AbortController().signal);
  const mail = sent.at(-1);
  return { mail, code: /\b\d{4} \d{4}\b/.exec(mail?.text ?? '')?.[0] ?? '' };
};
const wrong = (code: string): string => (code === '0000 0000' ? '0000 0001' : '0000 0000');

const owner = async () => {
  const { accountId, token: bearer, secret } = await customer();
  const add = async (sender: string) => ask(`POST ${senders(accountId)}`, { bearer, body: { sender } });
  const verify = async ({ _id }: SenderView, body: object = {}) =>
    ask(`POST ${senders(accountId)}/${_id}/verify`, { bearer, body });
  const list = async (): Promise<SenderView[]> =>
    (await ask(`GET ${senders(accountId)}`, { bearer })).senders;
  const sendFrom = async (fromPhone: string) =>
    ask('POST /email/send', { bearer: secret, body: { phone: 'ann@example.com', message: 'hi', fromPhone } });
  return { accountId, bearer, secret, add, verify, list, sendFrom };
};

test('an address is verified by the code that it got by mail, and by that one only', async () => {
  const { add, verify, list, sendFrom, accountId } = await owner();
  const added = await add(' News@Example.COM ');
  expect(added).toMatchObject({
    http: 200,
    message: 'A code was sent to News@example.com.',
    sender: { kind: 'address', sender: 'News@example.com', verified: false, given: false, record: null },
  });
  expect(await sendFrom('News@example.com')).toMatchObject({ http: 403, code: 'E_SENDER_UNVERIFIED' });
  // The queue holds no code.
  expect(JSON.stringify(room.jobs)).not.toMatch(/\d{4} \d{4}/);
  const { mail, code } = await mailed();
  expect(mail).toMatchObject({ to: 'News@example.com', subject: expect.stringContaining(code) });
  const { rows } = await sql<{ hash: Buffer }>`
    select code_hash as hash from senders where account_id = ${accountId}`.execute(db);
  expect(rows[0]?.hash).toHaveLength(32);
  expect(await verify(added.sender, { code: wrong(code) })).toMatchObject({
    http: 400,
    code: 'E_SENDER_CODE_WRONG',
    message: 'This is not the code of the latest mail. Tries left: 4.',
  });
  expect(await verify(added.sender, { code })).toMatchObject({ http: 200, sender: { verified: true } });
  expect(await verify(added.sender, { code: '' })).toMatchObject({ http: 200 });
  expect(await list()).toMatchObject([{ sender: 'News@example.com', verified: true }]);
  // At once, though the refusal before was a moment ago.
  expect(await sendFrom('Shop <News@example.com>')).toMatchObject({ http: 200 });
  expect((await room.messagesOf(accountId)).map(({ sender }) => sender)).toEqual(['Shop <News@example.com>']);
});

test('what only looks like a verified address is refused', async () => {
  const { accountId, sendFrom } = await owner();
  await room.give(accountId, 'email', 'news@example.com');
  expect(await sendFrom('news@EXAMPLE.com')).toMatchObject({ http: 200 });
  for (const from of [
    'NEWS@example.com',
    'news+bank@example.com',
    'news@sub.example.com',
    'news@example.com.evil.example',
    'news@exаmple.com',
    'other@example.com',
    'HSBC',
    'HSBC <other@example.com>',
    'news@example.com <other@example.com>',
  ])
    expect(await sendFrom(from)).toMatchObject({ http: 403, code: 'E_SENDER_UNVERIFIED' });
});

test('a code is void after five tries, after an hour and once another was sent; guesses are limited', async () => {
  const { add, verify } = await owner();
  const { sender } = await add('news@example.org');
  const first = await mailed();
  await add('news@example.org');
  const second = await mailed();
  expect(await verify(sender, { code: first.code })).toMatchObject({ code: 'E_SENDER_CODE_WRONG' });
  for (let left = 3; left >= 0; left -= 1)
    expect(await verify(sender, { code: wrong(second.code) })).toMatchObject({ code: 'E_SENDER_CODE_WRONG' });
  expect(await verify(sender, { code: second.code })).toMatchObject({ code: 'E_SENDER_CODE_EXPIRED' });
  await add('news@example.org');
  const third = await mailed();
  await sql`update senders set code_expires_at = now() where id = ${sender._id}::bigint`.execute(db);
  expect(await verify(sender, { code: third.code })).toMatchObject({ code: 'E_SENDER_CODE_EXPIRED' });
});

test('mails with codes are limited by account, and by the mailbox whatever its tag and case', async () => {
  const one = await owner();
  for (let at = 0; at < 10; at += 1) await one.add(`n${at}@example.net`);
  expect(await one.add('n10@example.net')).toMatchObject({ http: 429 });
  const others = [await owner(), await owner()];
  for (let at = 0; at < 10; at += 1) await others[at % 2]?.add(`Victim+${at}@example.net`);
  expect(await others[0]?.add('victim@example.net')).toMatchObject({ http: 429 });
});

test('a domain is verified by a record of its own for each account, looked up at a real name server', async () => {
  const [one, two] = [await owner(), await owner()];
  const [first, second] = [await one.add('Shop.example'), await two.add('shop.example')];
  const { record } = first.sender as SenderView;
  expect(record).toMatchObject({
    name: '_posthorn.shop.example',
    value: expect.stringMatching(/^posthorn=/),
  });
  expect(second.sender.record.value).not.toBe(record?.value);
  expect(await one.verify(first.sender)).toMatchObject({ http: 400, code: 'E_SENDER_RECORD_MISSING' });
  records.set('_posthorn.shop.example', ['v=spf1 -all', record?.value ?? '']);
  expect(await one.verify(first.sender)).toMatchObject({ http: 200, sender: { verified: true } });
  expect(await two.verify(second.sender)).toMatchObject({ http: 400, code: 'E_SENDER_RECORD_MISSING' });
  records.set('_posthorn.shop.example', [record?.value ?? '', second.sender.record.value]);
  expect(await two.verify(second.sender)).toMatchObject({ http: 200 });
  expect(await one.sendFrom('Shop <anybody@shop.example>')).toMatchObject({ http: 200 });
  expect(await one.sendFrom('anybody@mail.shop.example')).toMatchObject({ code: 'E_SENDER_UNVERIFIED' });
  const third = await one.add('other.example');
  isDnsDown = true;
  expect(await one.verify(third.sender)).toMatchObject({ http: 503, code: 'E_SENDER_DNS_SILENT' });
});

test('an admin gives numbers and names and takes them away; the profile shows them', async () => {
  const { accountId, bearer } = await owner();
  const admin = await room.activeAccount({ admin: true });
  const { token } = await logIn(room.accounts, admin);
  const give = (body: object) =>
    ask('POST /admin/senders', { bearer: token, body: { accountId, channel: 'sms', ...body } });
  const number = await give({ sender: '+852 6111 0000' });
  expect(number).toMatchObject({
    http: 200,
    sender: { sender: '+85261110000', given: true, verified: true },
  });
  expect((await give({ sender: '+85261110000' })).sender._id).toBe(number.sender._id);
  await give({ sender: 'Shop' });
  expect(await give({ sender: 'ＨＳＢＣ' })).toMatchObject({ http: 400, code: 'E_SENDER_INVALID' });
  expect(await give({ sender: 'Shop', accountId: '00000000-0000-4000-8000-000000000000' })).toMatchObject({
    http: 404,
  });
  const dedicated = async () =>
    (await readProfile({ db, listLentNumbers }, accountId, 'en_US')).setting.sms.dedicatedPhones;
  expect(await dedicated()).toEqual(['+85261110000', 'Shop']);
  // The owner can't remove what was given.
  const remove = { bearer };
  expect(await ask(`DELETE ${senders(accountId)}/${number.sender._id}`, remove)).toMatchObject({ http: 404 });
  const found = await ask(`GET /admin/senders?accountId=${accountId}&keyword=6111`, { bearer: token });
  expect(found).toMatchObject({ more: false, senders: [{ accountId, sender: '+85261110000' }] });
  expect(await ask(`DELETE /admin/senders/${number.sender._id}`, { bearer: token })).toMatchObject({
    status: 'ok',
  });
  expect(await dedicated()).toEqual(['Shop']);
  for (const call of [
    'GET /admin/senders',
    'POST /admin/senders',
    `DELETE /admin/senders/${number.sender._id}`,
  ])
    expect(await ask(call, { bearer, body: {} })).toMatchObject({ http: 403 });
});

test('another account sees, verifies and removes nothing of it; its owner removes it', async () => {
  const [one, other] = [await owner(), await owner()];
  const { sender } = await one.add('shop.test');
  const at = `${senders(one.accountId)}/${sender._id}`;
  const theirs = `${senders(other.accountId)}/${sender._id}`;
  for (const call of [
    `GET ${senders(one.accountId)}`,
    `POST ${at}/verify`,
    `DELETE ${at}`,
    `DELETE ${theirs}`,
  ])
    expect(
      await ask(call, { bearer: other.bearer, ...(call.startsWith('POST') && { body: {} }) }),
    ).toMatchObject({
      http: 404,
    });
  expect(await other.verify(sender)).toMatchObject({ http: 404 });
  expect(await ask(`DELETE ${at}`, { bearer: one.bearer, language: 'zh-HK' })).toMatchObject({
    message: '已移除此發送者。',
  });
  expect(await one.list()).toEqual([]);
});

test('an account adds so many, and what is not verified in time is removed', async () => {
  const { accountId, add, list } = await owner();
  await sql`insert into senders (account_id, channel, kind, sender, given)
    select ${accountId}, 'email', 'domain', 'd' || n || '.example', false from generate_series(1, 100) n`.execute(
    db,
  );
  expect(await add('more.example')).toMatchObject({ http: 409, code: 'E_TOO_MANY_SENDERS' });
  await sql`update senders set created_at = now() - interval '31 days', verified_at = case sender when 'd1.example'
    then now() end where account_id = ${accountId}`.execute(db);
  await senderTasks({ db } as never)['senders.remove-unverified']?.run({}, new AbortController().signal);
  expect((await list()).map(({ sender }) => sender)).toEqual(['d1.example']);
});

test('an account that is closed while it adds a sender gets none', async () => {
  const { accountId } = await owner();
  await sql`update accounts set closed_at = now() where id = ${accountId}`.execute(db);
  const adding = addSender(room.senders, { accountId, sender: 'late@example.com', language: 'en_US' });
  await expect(adding).rejects.toMatchObject({ code: 'E_ACCOUNT_CLOSED' });
  const { rows } = await sql`select from senders where account_id = ${accountId}`.execute(db);
  expect([rows, room.jobs]).toEqual([[], []]);
});
