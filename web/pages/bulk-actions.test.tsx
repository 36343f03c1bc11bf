import { notifications } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import type { BulkAction, BulkActionId } from '../../contract/office/bulk-actions.ts';
import { queryClient } from '../ground/api/query-client.ts';
import { router } from '../router.ts';
import { openPage, STARTUP, setServer, textIn } from '../testing/open-page.tsx';
import { FULL, message, profile, type Replies } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));
await import('../traffic/messages/bulk/bulk-actions.tsx');

const PATH = '/dashboard/messages';
const layout: Replies = { 'GET /account/me/profile': profile('owner') };
const ACTION: BulkAction = {
  _id: '12' as BulkActionId,
  action: 'FAILED',
  state: 'RUNNING',
  total: 2,
  changed: 0,
  unchanged: 0,
  refused: 0,
  own: true,
  createdAt: '2026-03-04T05:06:07.000Z',
  endedAt: null,
};
const answering = (part: Partial<BulkAction>): Replies => ({
  ...FULL,
  'GET /account/:accountId/messages': {
    messages: [message(1, { status: 'PENDING' }), message(2, { status: 'FAILED' })],
    total: 10_000,
  },
  'GET /lanes': {
    lanes: [
      {
        name: 'p1.sim-modem',
        phoneName: 'p1',
        channel: 'sms',
        provider: 'phone',
        route: '',
        carrierName: '',
      },
      { name: 'p1.sim-web', phoneName: 'p1', channel: 'sms', provider: 'phone', route: '', carrierName: '' },
    ],
  },
  'POST /admin/bulkActions': { action: { ...ACTION, ...part, state: 'RUNNING' } },
  'GET /admin/bulkActions/:actionId': { action: { ...ACTION, ...part } },
  'GET /admin/bulkActions/:actionId/results': {
    results: [{ _id: message(2)._id, place: 2, outcome: 'refused', reason: 'The balance is too low.' }],
    more: false,
  },
});
const asked = () =>
  vi
    .mocked(fetch)
    .mock.calls.flatMap(([url, init]) =>
      init?.method === 'POST' && String(url).endsWith('/admin/bulkActions')
        ? [JSON.parse(String(init.body))]
        : [],
    );
const lists = () => vi.mocked(fetch).mock.calls.filter(([url]) => String(url).includes('/messages?')).length;
const body = () => document.body.textContent ?? '';
const click = async (text: string) => fireEvent.click(await screen.findByRole('button', { name: text }));
/** Opens the list and selects its rows. */
const select = async (server: Replies, language: 'en_US' | 'zh_HK' = 'en_US') => {
  await openPage(PATH, { server, layout, language });
  vi.stubGlobal('fetch', vi.fn(fetch));
  const boxes = await waitFor(() => {
    const found = document.querySelectorAll<HTMLInputElement>('tbody input[type="checkbox"]');
    expect(found).toHaveLength(2);
    return found;
  });
  fireEvent.click(boxes[0] as Element);
  await click(textIn(language, 'Select All'));
};

afterEach(() => {
  sessionStorage.clear();
  notifications.cleanQueue();
  notifications.clean();
});

test.each(LANGUAGES)(
  'selected messages are resolved after a confirmation, and the list is read again (%s)',
  async (language) => {
    const t = (text: string) => textIn(language, text);
    await select(answering({ state: 'DONE', changed: 2 }), language);
    const before = lists();
    await click(t('Failed'));
    expect(asked()).toEqual([]);
    await click(t('Set to FAILED'));
    await waitFor(() =>
      expect(asked()).toEqual([
        {
          action: 'FAILED',
          ids: [message(1)._id, message(2)._id],
          reason: 'invalid contact',
          errorCode: 'E_INVALID_CONTACT',
        },
      ]),
    );
    await waitFor(() => expect(body()).toContain(t('updated 2 jobs, refreshing result')));
    await waitFor(() => expect(lists()).toBeGreaterThan(before));
    await waitFor(() => expect(document.querySelectorAll('tbody input:checked')).toHaveLength(0));
  },
);

test('all that match the search are selected too, and another choice ends that', async () => {
  await select(answering({ action: 'SUCCESS', state: 'DONE', changed: 10_000, total: 10_000 }));
  await click('Select all 10,000 that match');
  expect(body()).toContain('10,000');
  await click('Success');
  await click('Set to SUCCESS');
  await waitFor(() => expect(asked()).toHaveLength(1));
  expect(asked()[0]).toMatchObject({ action: 'SUCCESS', search: { dateFrom: expect.any(String) } });
  expect(asked()[0]).not.toHaveProperty('ids');
  await waitFor(() => expect(body()).toContain('updated 10,000 jobs, refreshing result'));
});

test('messages are transferred to a phone or automatically', async () => {
  await select(answering({ action: 'TRANSFER', state: 'DONE', changed: 2 }));
  await click('Transfer');
  const choice = await screen.findByLabelText('Phone');
  await waitFor(() =>
    expect([...choice.querySelectorAll('option')].map(({ value }) => value)).toEqual(['', 'p1']),
  );
  fireEvent.change(choice, { target: { value: 'p1' } });
  const dialog = screen.getByRole('dialog');
  fireEvent.click([...dialog.querySelectorAll('button')].at(-1) as Element);
  await waitFor(() => expect(asked()).toMatchObject([{ action: 'TRANSFER', phoneName: 'p1' }]));
  await waitFor(() => expect(body()).toContain('transferred 2 jobs, refreshing result'));
});

test('how far it has got is shown, and it can be stopped', async () => {
  await select(answering({ changed: 1, total: 2 }));
  await click('Success');
  await click('Set to SUCCESS');
  await waitFor(() => expect(body()).toContain('1 of 2'));
  setServer({
    ...answering({ state: 'STOPPED', changed: 1 }),
    'POST /admin/bulkActions/:actionId/stop': { action: { ...ACTION, state: 'STOPPED' } },
  });
  await click('Stop');
  await waitFor(() => expect(body()).toContain('Stopped after 1 jobs'));
});

test('a message that was refused is named with its reason', async () => {
  await select(answering({ state: 'DONE', changed: 1, refused: 1 }));
  await click('Success');
  await click('Set to SUCCESS');
  await waitFor(() => expect(body()).toContain('The balance is too low.'));
  expect(body()).toContain('1 jobs were left as they are');
  expect(document.querySelector(`a[href$="${message(2)._id}"]`)).not.toBeNull();
});

const begunBefore = (part: Partial<BulkAction>): Replies => ({
  ...answering(part),
  'GET /admin/bulkActions': { actions: [{ ...ACTION, ...part }] },
});
const openList = async (server: Replies, language: 'en_US' | 'zh_HK' = 'en_US') => {
  await openPage(PATH, { server, layout, language });
  await waitFor(() => expect(body()).toContain('text 1'));
};

test.each(LANGUAGES)(
  'what runs is shown again after the page was reloaded, and then what came of it (%s)',
  async (language) => {
    const t = (text: string) => textIn(language, text);
    await openList(begunBefore({ changed: 4_000, total: 10_000 }), language);
    await waitFor(() => expect(body()).toContain(t('4,000 of 10,000 jobs')));
    setServer(begunBefore({ state: 'DONE', changed: 10_000, total: 10_000 }));
    await waitFor(() => expect(body()).toContain(t('updated 10,000 jobs, refreshing result')));
    await waitFor(() =>
      expect(document.querySelector(`section[aria-label="${t('Going on in the background')}"]`)).toBeNull(),
    );
  },
);

test('what ended while the page was being reloaded is told once', async () => {
  sessionStorage.setItem(`kept:${profile('owner')._id}:bulk`, JSON.stringify([ACTION._id]));
  await openList(begunBefore({ state: 'DONE', changed: 1, refused: 1 }));
  await waitFor(() => expect(body()).toContain('The balance is too low.'));
  await click('Close');
  await waitFor(() => expect(document.querySelector('[role="dialog"]')).toBeNull());
  await openList(begunBefore({ state: 'DONE', changed: 1, refused: 1 }));
  expect(body()).not.toContain('The balance is too low.');
});

test('what was told is forgotten at once, so that a quick reload does not tell it again', async () => {
  const key = `kept:${profile('owner')._id}:bulk`;
  sessionStorage.setItem(key, JSON.stringify([ACTION._id]));
  let keptWhenTold: string | null = null;
  const told = vi.spyOn(notifications, 'show').mockImplementation(() => {
    // After the effect that tells it, and long before the list is read again.
    queueMicrotask(() => {
      keptWhenTold = sessionStorage.getItem(key);
    });
    return '';
  });
  onTestFinished(() => told.mockRestore());
  const done = begunBefore({ state: 'DONE', changed: 2 });
  await openList(done);
  await waitFor(() => expect(keptWhenTold).toBe('[]'));
  expect(told).toHaveBeenCalledOnce();
  await openList(done);
  await screen.findByText('text 2');
  expect(told).toHaveBeenCalledOnce();
});

test("another admin's is not followed", async () => {
  await openList(begunBefore({ own: false, changed: 1 }));
  await screen.findByText('text 2');
  expect(body()).not.toContain('1 of 2 jobs');
});

test('all that were refused are named, a hundred at a time', async () => {
  const refused = (n: number) => ({
    _id: message(n)._id,
    place: n,
    outcome: 'refused' as const,
    reason: `reason ${n}`,
  });
  const server = begunBefore({ state: 'DONE', changed: 9_850, refused: 150, total: 10_000 });
  const page = (from: number, more: boolean): Replies => ({
    ...server,
    'GET /admin/bulkActions/:actionId/results': {
      results: Array.from({ length: more ? 100 : 50 }, (_, n) => refused(from + n)),
      more,
    },
  });
  sessionStorage.setItem(`kept:${profile('owner')._id}:bulk`, JSON.stringify([ACTION._id]));
  await openList(page(1, true));
  await waitFor(() => expect(body()).toContain('150 jobs were left as they are'));
  await waitFor(() => expect(body()).toContain('reason 100'));
  setServer(page(101, false));
  await click('Load more');
  await waitFor(() => expect(body()).toContain('reason 150'));
});

test('another search ends the selection, which nobody would see', async () => {
  await select(answering({}));
  await click('Select all 10,000 that match');
  expect(document.querySelectorAll('tbody input:checked')).toHaveLength(2);
  const filters = encodeURIComponent(JSON.stringify({ status: 'FAILED' }));
  await act(() => router.navigate({ href: `${PATH}?filters=${filters}` }));
  await waitFor(() => expect(document.querySelectorAll('tbody input:checked')).toHaveLength(0));
  expect(screen.queryByRole('button', { name: 'Select all 10,000 that match' })).toBeNull();
});

test('the last page of what is in doubt is another one when its messages were decided', async () => {
  const skipped = () =>
    vi
      .mocked(fetch)
      .mock.calls.flatMap(([url]) => new URL(String(url), 'http://localhost').searchParams.get('skip') ?? []);
  await openPage('/dashboard/in-doubt', { server: FULL, layout });
  vi.stubGlobal('fetch', vi.fn(fetch));
  expect((await screen.findByLabelText('Unknown from: pick from the calendar')).tagName).toBe('BUTTON');
  fireEvent.click(await screen.findByRole('button', { name: 'Page 2' }));
  await waitFor(() => expect(skipped().at(-1)).toBe('50'));
  const known = FULL['GET /admin/inDoubt'];
  setServer({ ...FULL, 'GET /admin/inDoubt': { messages: [], lanes: [], ...known, total: 50 } });
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(skipped().at(-1)).toBe('0'));
});

const timeline = (status: 'PENDING' | 'SUCCESS'): Replies => ({
  'GET /messages/:messageId/timeline': {
    message: message(1, { status }),
    steps: [],
    waiting: null,
    events: [],
  },
});

test('the panel of a message that the list no longer has offers what its state allows', async () => {
  await openPage(PATH, { server: { ...answering({}), ...timeline('PENDING') }, layout });
  fireEvent.click((await screen.findAllByText('text 1'))[0] as Element);
  await screen.findByRole('button', { name: 'Transfer…' });
  setServer({
    ...answering({}),
    ...timeline('SUCCESS'),
    'GET /account/:accountId/messages': { messages: [], total: 0 },
    'POST /message/:jobId/success': { _id: message(1)._id, status: 'SUCCESS', changed: true },
  });
  await click('Success');
  await click('Set to SUCCESS');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Transfer…' })).toBeNull());
  expect(screen.queryByRole('button', { name: 'Success' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Failed' })).toBeTruthy();
});

test('one message is resolved from its panel', async () => {
  const server: Replies = {
    ...answering({}),
    ...timeline('PENDING'),
    'POST /message/:jobId/success': { _id: message(1)._id, status: 'SUCCESS', changed: true },
  };
  await openPage(PATH, { server, layout });
  vi.stubGlobal('fetch', vi.fn(fetch));
  fireEvent.click((await screen.findAllByText('text 1'))[0] as Element);
  await click('Success');
  await click('Set to SUCCESS');
  await waitFor(() => expect(body()).toContain('ok'));
  const posts = vi.mocked(fetch).mock.calls.filter(([url]) => String(url).endsWith('/success'));
  expect(posts).toHaveLength(1);
});
