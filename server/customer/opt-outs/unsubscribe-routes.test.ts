import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestLists } from '../../../test/list-app.ts';
import { findOptedOut } from './find-opted-out.ts';
import { makeUnsubscribeToken } from './unsubscribe-token.ts';

const room = await openTestLists();
afterAll(room.close);

const linkOf = (accountId: AccountId, recipient = 'Ann@example.com') =>
  `/unsubscribe/${makeUnsubscribeToken(room.accounts.secretKey, { accountId, channel: 'email', recipient })}`;
const isOut = async (accountId: AccountId, recipient = 'ann@example.com') =>
  (await findOptedOut(room.db, [{ accountId, channel: 'email', recipient }])).has(0);
const open = (url: string, language = 'en-US') =>
  room.app.inject({ url, headers: { 'accept-language': language } });
const post = (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
  room.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });

test('one click of a mail program opts out at once, without a session, a cookie or a redirect', async () => {
  const { accountId } = await room.customer();
  const answer = await post(linkOf(accountId), 'List-Unsubscribe=One-Click');
  expect(answer).toMatchObject({ statusCode: 200, body: 'Unsubscribed.' });
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(await isOut(accountId)).toBe(true);
  expect((await post(linkOf(accountId), 'List-Unsubscribe=One-Click')).statusCode).toBe(200);
  const { rows } = await room.pool.query('select source from opt_outs where account_id = $1', [accountId]);
  expect(rows).toEqual([{ source: 'LINK' }]);
});

test('the other kind of form works too', async () => {
  const { accountId } = await room.customer();
  const body = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
  expect((await post(linkOf(accountId), body, 'multipart/form-data; boundary=x')).statusCode).toBe(200);
  expect(await isOut(accountId)).toBe(true);
});

test('looking at the link changes nothing, nor does a form that says nothing', async () => {
  const { accountId } = await room.customer();
  const url = linkOf(accountId);
  expect((await open(url)).statusCode).toBe(200);
  expect((await room.app.inject({ method: 'HEAD', url })).statusCode).toBe(200);
  for (const body of ['', 'x=1', 'List-Unsubscribe=Two']) await post(url, body);
  expect((await room.app.inject({ method: 'POST', url })).statusCode).toBe(200);
  expect(await isOut(accountId)).toBe(false);
});

test('the page asks, confirms and undoes, in both languages', async () => {
  const { accountId } = await room.customer();
  const url = linkOf(accountId);
  const asked = await open(url);
  expect(asked.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(asked.body).toContain('Unsubscribe?');
  expect(asked.body).toContain('Ann@example.com');
  expect((await open(url, 'zh-HK')).body).toContain('確定退訂？');
  expect((await open(`${url}?lang=zh_HK`)).body).toContain('確認退訂');
  const out = await post(`${url}?lang=zh_HK`, 'List-Unsubscribe=One-Click&page=1');
  expect(out.body).toContain('你已退訂');
  expect((await open(url)).body).toContain('You are unsubscribed');
  expect(await isOut(accountId)).toBe(true);
  expect((await post(url, 'undo=1')).body).toContain('You are subscribed again');
  expect(await isOut(accountId)).toBe(false);
});

test('a link that was not made here does nothing', async () => {
  const { accountId } = await room.customer();
  const url = linkOf(accountId);
  for (const wrong of [
    `${url}x`,
    '/unsubscribe/x',
    '/unsubscribe/a.b',
    url.replace(/.$/, ''),
    '/unsubscribe/%00',
  ]) {
    const answer = await post(wrong, 'List-Unsubscribe=One-Click');
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('does not work');
    expect((await open(wrong)).statusCode).toBe(404);
  }
  expect(await isOut(accountId)).toBe(false);
});

test('what the link names is shown as text, whatever it is, and no script may run', async () => {
  const { accountId } = await room.customer();
  const { body, headers } = await open(linkOf(accountId, '"<script>alert(1)</script>"@example.com'));
  expect(body).not.toContain('<script');
  expect(body).toContain('&lt;script&gt;');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'nonce-/);
});

test('of an account whose data is gone nobody is noted down, and the click is answered all the same', async () => {
  const { accountId } = await room.customer();
  await room.pool.query('update accounts set closed_at = now(), anonymised_at = now() where id = $1', [
    accountId,
  ]);
  const answer = await post(linkOf(accountId), 'List-Unsubscribe=One-Click');
  expect(answer).toMatchObject({ statusCode: 200, body: 'Unsubscribed.' });
  expect(await isOut(accountId)).toBe(false);
});
