import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CardId } from '../../../contract/customer/wallet.ts';
import { setTexts } from '../i18n/translate.ts';
import { call } from './call.ts';
import { storedToken } from './session.ts';

const store = new Map<string, string>();

const answer = (status: number, body: string) => {
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => new Response(body, { status }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
};

const refusal = (code: string) => JSON.stringify({ code, message: 'No.', requestId: 'r1' });

beforeEach(() => {
  store.clear();
  setTexts({ 'api.network': 'No network.', 'api.unexpected': 'Odd answer.' });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
    removeItem: (key: string) => store.delete(key),
  });
  store.set('token', 'secret-token');
});

describe('call', () => {
  test('sends the token and the language, and answers the reply', async () => {
    store.set('activeLang', 'zh_HK');
    const fetched = answer(200, '{"message":"ok"}');
    expect(await call('POST /account/logout')).toEqual({ message: 'ok' });
    const [address, init] = fetched.mock.calls[0] ?? [];
    const headers = new Headers(init?.headers);
    expect(address).toBe('/api/account/logout');
    expect(headers.get('authorization')).toBe('secret-token');
    expect(headers.get('accept-language')).toBe('zh-HK');
  });

  test('sends the headers of a call, such as its idempotency key', async () => {
    const fetched = answer(200, '{}');
    await call('POST /cards/:cardId/charge', {
      params: { cardId: 'c1' as CardId },
      body: { amount: 20 },
      headers: { 'idempotency-key': 'k1' },
    });
    expect(new Headers(fetched.mock.calls[0]?.[1].headers).get('idempotency-key')).toBe('k1');
  });

  test('fills parameters and the query into the address', async () => {
    const fetched = answer(200, '{}');
    await call('GET /translations', { query: { v: 'a b' } });
    expect(fetched.mock.calls[0]?.[0]).toBe('/api/translations?v=a+b');
  });

  test('a guest call carries no token, and its refusal ends no session', async () => {
    const fetched = answer(401, refusal('E_BAD_CREDENTIALS'));
    const body = { email: 'a@example.com', password: 'x' };
    await expect(call('POST /account/login', { body, anonymous: true })).rejects.toMatchObject({
      code: 'E_BAD_CREDENTIALS',
      message: 'No.',
      requestId: 'r1',
      status: 401,
    });
    expect(new Headers(fetched.mock.calls[0]?.[1].headers).has('authorization')).toBe(false);
    expect(storedToken()).toBe('secret-token');
  });

  test('a refused token is forgotten', async () => {
    answer(401, refusal('E_LOGIN_REQUIRED'));
    await expect(call('GET /account/me/profile')).rejects.toMatchObject({ status: 401 });
    expect(storedToken()).toBeNull();
  });

  test('a token that was replaced meanwhile stays', async () => {
    vi.stubGlobal('fetch', async () => {
      store.set('token', 'newer-token');
      return new Response(refusal('E_LOGIN_REQUIRED'), { status: 401 });
    });
    await expect(call('GET /account/me/profile')).rejects.toMatchObject({ status: 401 });
    expect(storedToken()).toBe('newer-token');
  });

  test('no answer at all has a text of its own', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await expect(call('GET /account/me/profile')).rejects.toMatchObject({
      code: 'E_NETWORK',
      message: 'No network.',
      status: 0,
    });
  });

  test("a proxy's own page is not shown", async () => {
    answer(502, '<h1>Bad gateway</h1>');
    await expect(call('GET /account/me/profile')).rejects.toMatchObject({
      message: 'Odd answer.',
      status: 502,
    });
    answer(413, '<h1>Request Entity Too Large</h1>');
    await expect(call('GET /account/me/profile')).rejects.toMatchObject({ message: '[api.too_large]' });
  });
});
