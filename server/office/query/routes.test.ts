import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import {
  MOST_BOOKMARK_CHARACTERS,
  MOST_BOOKMARKED_CHARACTERS,
  MOST_BOOKMARKS,
} from '../../../contract/office/query.ts';
import { openTestAccounts } from '../../../test/accounts.ts';
import { findContact } from '../../customer/accounts/index.ts';
import { adminQueryRoutes } from './index.ts';

let accounts: Awaited<ReturnType<typeof openTestAccounts>>;
let routes: ReturnType<typeof adminQueryRoutes>;
const asked: object[] = [];

beforeAll(async () => {
  accounts = await openTestAccounts();
  routes = adminQueryRoutes({
    db: accounts.db,
    link: {
      ask: async (action, body, { accountId, entryId, language }) => {
        asked.push({ action, body, accountId, entryId, language });
        return { data: ['merchant'], msg: '', success: true };
      },
    },
    emailOf: async (accountId) => (await findContact(accounts.db, accountId))?.email,
  });
});
afterAll(() => accounts.close());

const newAdmin = () => accounts.activeAccount({ admin: true });

const call = async (
  name: keyof typeof routes,
  accountId: AccountId,
  { params = {}, body = {} }: { params?: object; body?: object } = {},
) => {
  const handler = routes[name] as unknown as (input: object) => Promise<Record<string, never>>;
  const caller = { accountId, admin: true, role: 'owner' as const, sessionHash: Buffer.alloc(0) };
  return handler({
    params,
    body,
    caller,
    entryId: '7',
    language: 'zh_HK',
    hungUp: new AbortController().signal,
    changed: () => {},
  });
};
const keep = (accountId: AccountId, id: string, body: object = {}) =>
  call('PUT /qf/bookmarks/:bookmarkId', accountId, {
    params: { bookmarkId: id },
    body: { query: `select ${id}`, database: 'merchant', zone_id: 1, shared: false, copy: false, ...body },
  });
const listed = async (accountId: AccountId): Promise<{ id: string; owner: string; own: boolean }[]> =>
  (await call('GET /qf/bookmarks', accountId)).bookmarks ?? [];

test('a statement is passed on in the name of the admin, in the reader’s language', async () => {
  const { accountId } = await newAdmin();
  const body = { zone_id: 1 };
  expect(await call('POST /qf/sql_database', accountId, { body })).toMatchObject({ data: ['merchant'] });
  expect(asked).toEqual([{ action: 'sql_database', body, accountId, entryId: '7', language: 'zh_HK' }]);
});

test('a bookmark is its owner’s, and other admins see it only if it is shared', async () => {
  const [anna, ben] = [await newAdmin(), await newAdmin()];
  await keep(anna.accountId, '1001');
  await keep(anna.accountId, '1002', { shared: true });
  await keep(ben.accountId, '1002');
  const annas = await listed(anna.accountId);
  expect(annas.filter(({ own }) => own).map(({ id }) => id)).toEqual(['1002', '1001']);
  const seen = (await listed(ben.accountId)).filter(({ owner }) => [anna.email, ben.email].includes(owner));
  expect(seen.map(({ id, own, owner }) => ({ id, own, owner }))).toEqual(
    expect.arrayContaining([
      { id: '1002', own: true, owner: ben.email },
      { id: '1002', own: false, owner: anna.email },
    ]),
  );
  expect(seen).toHaveLength(2);

  await call('DELETE /qf/bookmarks/:bookmarkId', ben.accountId, { params: { bookmarkId: '1001' } });
  await call('DELETE /qf/bookmarks', ben.accountId);
  expect((await listed(anna.accountId)).filter(({ own }) => own)).toHaveLength(2);
  expect((await listed(ben.accountId)).filter(({ own }) => own)).toEqual([]);
});

test('a deleted bookmark does not come back from another browser’s copy, but if it is saved again', async () => {
  const { accountId } = await newAdmin();
  const own = async () => (await listed(accountId)).filter((one) => one.own).map(({ id }) => id);
  for (const id of ['1', '2', '3']) await keep(accountId, id, { shared: true });
  await call('DELETE /qf/bookmarks/:bookmarkId', accountId, { params: { bookmarkId: '2' } });
  await call('DELETE /qf/bookmarks', accountId);
  for (const id of ['1', '2', '3', '4']) await keep(accountId, id, { copy: true });
  expect(await own()).toEqual(['4']);
  await keep(accountId, '2');
  await keep(accountId, '2', { copy: true });
  expect(await own()).toEqual(['4', '2']);
});

test('a bookmark that is saved again is changed, also where there is no room for another one', async () => {
  const { accountId } = await newAdmin();
  const ids = Array.from({ length: MOST_BOOKMARKS }, (_, at) => String(at + 1));
  await Promise.all(ids.map((id) => keep(accountId, id)));
  await expect(keep(accountId, '9999')).rejects.toMatchObject({ code: 'E_TOO_MANY_BOOKMARKS' });
  await keep(accountId, '7', { query: 'select 77' });
  expect((await listed(accountId)).find(({ id }) => id === '7')).toMatchObject({ query: 'select 77' });
});

test('bookmarks are bounded by their characters, each and together, also where many are saved at once', async () => {
  const { accountId } = await newAdmin();
  const query = 'x'.repeat(MOST_BOOKMARK_CHARACTERS);
  await expect(keep(accountId, '1', { query: `${query}x` })).rejects.toMatchObject({
    code: 'E_TEXT_TOO_LONG',
    params: { maximum: MOST_BOOKMARK_CHARACTERS },
  });
  const ids = Array.from({ length: 40 }, (_, at) => String(at + 1));
  const kept = await Promise.allSettled(ids.map((id) => keep(accountId, id, { query })));
  const refused = kept.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  const room = MOST_BOOKMARKED_CHARACTERS / MOST_BOOKMARK_CHARACTERS;
  expect(refused).toEqual(Array.from({ length: ids.length - room }, () => 'E_TOO_MANY_BOOKMARKS'));
  const own = (await listed(accountId)).filter((one) => one.own);
  expect(own).toHaveLength(room);
  // One that is there already may be changed.
  await keep(accountId, own[0]?.id ?? '', { query: 'select 1' });
  await keep(accountId, '99');
});
