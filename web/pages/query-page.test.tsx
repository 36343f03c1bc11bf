import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { router } from '../router.ts';
import { openPage, STARTUP, setServer } from '../testing/open-page.tsx';
import { FULL, profile, type Replies } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));
// It brings an editor: loading that must not count against the time of a test.
await import('./admin/query.tsx');

const RESULT = {
  columns: [
    { name: 'name', type: 'text' },
    { name: 'count', type: 'bigint' },
  ],
  rows: [
    ['Central', '10'],
    ['Mong Kok', '9'],
    [null, null],
  ],
  limited: true,
  truncated: false,
  elapsed_ms: 7,
};
const SERVER: Replies = {
  ...FULL,
  'GET /account/me/profile': profile('owner'),
  'GET /qf/bookmarks': { bookmarks: [] },
  'POST /qf/sql_query': { data: RESULT, msg: '', success: true },
  'POST /qf/sql_cancel': { data: { cancelled: true }, msg: '', success: true },
  'PUT /qf/bookmarks/:bookmarkId': { status: 'ok' },
  'DELETE /qf/bookmarks': { status: 'ok' },
};

interface Call {
  name: string;
  body: Record<string, unknown>;
}
let calls: Call[] = [];

/** Opens the tool with what the browser had kept. */
const openTool = async (kept: Record<string, string>) => {
  await openPage('/dashboard/retention', { server: SERVER });
  const answer = globalThis.fetch;
  calls = [];
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const body = init?.body ? JSON.parse(String(init.body)) : {};
    calls.push({ name: `${init?.method ?? 'GET'} ${new URL(input, 'http://localhost').pathname}`, body });
    return answer(input, init);
  });
  for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
  await act(() => router.navigate({ href: '/qf/query' }));
  await screen.findByLabelText('SQL editor');
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Other database').value).not.toBe(''));
};
const made = (name: string) => calls.filter((call) => call.name === name);
const shown = () => document.querySelector('main')?.textContent ?? '';
/** Found by its attribute: to look for a role takes longer than all the rest of a test. */
const openedDialog = () =>
  waitFor(() => {
    const dialog = document.querySelector('[role="dialog"]');
    if (!dialog) throw new Error('no dialog is open');
    return dialog;
  });
const press = (key: string, held: object) =>
  act(async () => void fireEvent.keyDown(window, { key, ...held }));

beforeEach(() => openTool({ sql: 'select name, count from places', zone: '1', database: 'merchant_hk' }));

test.each([
  ['Cmd', { metaKey: true }],
  ['Ctrl', { ctrlKey: true }],
])('%s with Enter runs the statement, and the rows are shown with their count and time', async (_, held) => {
  await press('Enter', held);
  await waitFor(() => expect(shown()).toContain('3 rows in 7 ms.'));
  expect(made('POST /api/qf/sql_query').map(({ body }) => body)).toEqual([
    {
      zone_id: 1,
      database: 'merchant_hk',
      sql: 'select name, count from places',
      run_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ]);
  expect(shown()).toContain('Mong Kok');
});

test('numbers are sorted by their value, and a chart shows them as bars', async () => {
  await press('Enter', { ctrlKey: true });
  await waitFor(() => expect(shown()).toContain('Mong Kok'));
  const heads = [...document.querySelectorAll('th button')];
  fireEvent.click(heads.find(({ textContent }) => textContent?.startsWith('count')) as Element);
  await waitFor(() => expect(shown().indexOf('Mong Kok')).toBeLessThan(shown().indexOf('Central')));
  fireEvent.click(screen.getByText('Show as chart'));
  expect(screen.getByLabelText('Chart').querySelectorAll('dt')).toHaveLength(3);
});

test('a fault is told, and its place marked in the editor', async () => {
  setServer({
    ...SERVER,
    'POST /qf/sql_query': {
      data: { outcome: 'failed', position: 13 },
      msg: 'column "count" does not exist',
      success: false,
    },
  });
  await press('Enter', { ctrlKey: true });
  await waitFor(() =>
    expect(document.querySelector('main [role="alert"]')?.textContent).toContain('does not exist'),
  );
  await waitFor(() => expect(document.querySelector('[class*="fault"]')?.textContent).toBe('count'));
});

test('an explain shows the plan as a tree', async () => {
  const plan = [
    {
      Plan: {
        'Node Type': 'Sort',
        'Total Cost': 20,
        'Plan Rows': 9,
        Plans: [{ 'Node Type': 'Seq Scan', 'Relation Name': 'places', 'Total Cost': 15, 'Plan Rows': 9 }],
      },
    },
  ];
  const result = {
    ...RESULT,
    columns: [{ name: 'QUERY PLAN', type: 'json' }],
    rows: [[JSON.stringify(plan)]],
  };
  setServer({ ...SERVER, 'POST /qf/sql_query': { data: result, msg: '', success: true } });
  fireEvent.click(screen.getByText('Explain'));
  await waitFor(() => expect(screen.getByLabelText('Plan').textContent).toContain('Seq Scan places'));
  expect(made('POST /api/qf/sql_query')[0]?.body.sql).toBe(
    'explain (format json) select name, count from places',
  );
  expect(screen.getByText('costs most').parentElement?.textContent).toContain('Seq Scan places');
});

test('S saves the bookmark, and with Shift a new one each time', async () => {
  await press('s', { metaKey: true });
  await waitFor(() => expect(calls.filter(({ name }) => name.startsWith('PUT'))).toHaveLength(1));
  await press('S', { ctrlKey: true, shiftKey: true });
  await waitFor(() => expect(calls.filter(({ name }) => name.startsWith('PUT'))).toHaveLength(2));
  const [first] = calls.filter(({ name }) => name.startsWith('PUT'));
  expect(first?.name).toMatch(/^PUT \/api\/qf\/bookmarks\/\d{13}$/);
  expect(first?.body).toEqual({
    query: 'select name, count from places',
    database: 'merchant_hk',
    zone_id: 1,
    shared: false,
  });
});

test('R asks before it refreshes', async () => {
  await press('r', { metaKey: true });
  expect((await openedDialog()).textContent).toContain('Refresh the page?');
});

test('bookmarks that only the browser has are taken over by the server', async () => {
  const bookmark = { id: '1700000000000', query: 'select 1', database: 'merchant_hk' };
  await openTool({ bookmarks: JSON.stringify([bookmark, { id: 'not one' }]) });
  await waitFor(() => expect(made('PUT /api/qf/bookmarks/1700000000000')).toHaveLength(1));
  // A copy: the server knows whether it was deleted elsewhere.
  expect(made('PUT /api/qf/bookmarks/1700000000000')[0]?.body).toMatchObject({
    query: 'select 1',
    copy: true,
  });
  expect(calls.filter(({ name }) => name.startsWith('PUT'))).toHaveLength(1);
});

test("another admin's statement and bookmarks are neither shown nor taken over", async () => {
  const bookmark = { id: '1700000000000', query: 'select 1', database: 'merchant_hk' };
  const kept = { bookmarks: JSON.stringify([bookmark]), sql: 'select private', merchantTerm: 'private' };
  await openTool({ ...kept, queryOwner: 'somebody else' });
  await waitFor(() => expect(localStorage.getItem('bookmarks')).toBe('[]'));
  expect(calls.filter(({ name }) => name.startsWith('PUT'))).toEqual([]);
  expect(document.body.innerHTML).not.toContain('private');
  expect(localStorage.getItem('sql')).toBeNull();
});

test('all bookmarks are deleted only after the question whether one is sure', async () => {
  const own = { id: '7', query: 'select 7', database: 'merchant_hk', zone_id: 1, shared: false };
  setServer({
    ...SERVER,
    'GET /qf/bookmarks': { bookmarks: [{ ...own, own: true, owner: 'someone@example.com' }] },
  });
  await press('s', { metaKey: true });
  await waitFor(() => expect(screen.getByText('select 7')).toBeTruthy());
  expect(JSON.parse(localStorage.getItem('bookmarks') ?? '')).toEqual([
    { id: '7', query: 'select 7', database: 'merchant_hk' },
  ]);
  fireEvent.click(screen.getByText('Delete all bookmarks'));
  const dialog = await openedDialog();
  expect(dialog.textContent).toContain('sure?');
  expect(made('DELETE /api/qf/bookmarks')).toEqual([]);
  fireEvent.click([...dialog.querySelectorAll('button')].at(-1) as Element);
  await waitFor(() => expect(made('DELETE /api/qf/bookmarks')).toHaveLength(1));
});

test('what goes on in its database is told until it is gone, and is not called cancelled', async () => {
  const since = '2026-11-01T10:00:00.000Z';
  const lingering = [{ zone_id: 1, since }];
  setServer({
    ...SERVER,
    'POST /qf/sql_query': {
      data: { outcome: 'running', position: null, since },
      msg: 'Still running in the database since 10:00:00 UTC.',
      success: false,
    },
    'GET /qf/standing': { lingering, withheldUntil: null },
  });
  await press('Enter', { ctrlKey: true });
  await waitFor(() => expect(shown()).toContain('Still running in the database of HK since'));
  expect(shown()).not.toContain('cancelled');
  setServer(SERVER);
  await waitFor(() => expect(shown()).toContain('The query has ended in the database.'), { timeout: 8_000 });
  expect(shown()).not.toContain('Still running');
});

test('an answer of a second run says why', async () => {
  const answer = { data: { ...RESULT, again: true }, msg: '', success: true as const };
  setServer({ ...SERVER, 'POST /qf/sql_query': answer });
  await press('Enter', { ctrlKey: true });
  await waitFor(() => expect(shown()).toContain('Run once more because the database was restarted'));
});

test('an owner sees who has no turn, and gives it back', async () => {
  await waitFor(() => expect(shown()).toContain('ann@example.com can run queries again at'));
  setServer({
    ...SERVER,
    'DELETE /qf/withheld/:accountId': { status: 'ok' },
    'GET /qf/withheld': { turns: [] },
  });
  fireEvent.click(screen.getByText('Give back'));
  await waitFor(() => expect(shown()).not.toContain('ann@example.com can run'));
  expect(calls.filter(({ name }) => name.startsWith('DELETE /api/qf/withheld/'))).toHaveLength(1);
});
