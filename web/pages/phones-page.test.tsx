import { notifications, notificationsStore } from '@mantine/notifications';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { phonesQuery } from '../fleet/phones/phones-query.ts';
import { queryClient } from '../ground/api/query-client.ts';
import { openPage, STARTUP, setServer, textIn } from '../testing/open-page.tsx';
import { FULL, message, phone, profile, type Replies } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));

const PATH = '/dashboard/phone';
const layout: Replies = { 'GET /account/me/profile': profile('owner') };
const shown = () => document.querySelector('main')?.textContent ?? '';
/** By the beginning of its label: to look for a role takes longer than all the rest of a test. */
const cell = (label: string) =>
  waitFor(() => {
    const found = document.querySelector<HTMLButtonElement>(`button[aria-label^="${label}"]`);
    if (!found) throw new Error(`no cell ${label}`);
    return found;
  });
const withPhones = (...phones: ReturnType<typeof phone>[]): Replies => ({
  ...FULL,
  'GET /phoneNumberInventory': { phoneNumberInventory: phones, hostMap: {}, hostMapv2: {} },
});
const bodies = () =>
  vi
    .mocked(fetch)
    .mock.calls.flatMap(([, init]) => (init?.method === 'PUT' ? [JSON.parse(String(init.body))] : []));
const loads = () =>
  vi.mocked(fetch).mock.calls.filter(([url]) => String(url).includes('/phoneNumberInventory?')).length;
/** What each toast says, one after the other. */
const toasted = () => {
  const said = new Map<string, string[]>();
  notificationsStore.subscribe(({ notifications: shown, queue }) => {
    for (const { id = '', message } of [...shown, ...queue]) {
      const before = said.get(id) ?? [];
      if (before.at(-1) !== message) said.set(id, [...before, String(message)]);
    }
  });
  return () => [...said.values()];
};
/** Watches what the page asks for. */
const spied = () => vi.stubGlobal('fetch', vi.fn(fetch));
const type = async (name: string, text: string, key = 'Enter') => {
  fireEvent.click(await cell(name));
  const field = document.activeElement as HTMLInputElement;
  fireEvent.change(field, { target: { value: text } });
  fireEvent.keyDown(field, { key });
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  // Toasts of a stopped clock never go, and only some are shown at a time.
  notifications.cleanQueue();
  notifications.clean();
});

test.each([
  ['Edit Remark of hk-1', 'new remark', { remark: 'new remark' }],
  ['Edit SMS suspended of hk-1', 'Y', { smsSuspended: true }],
  ['Edit SMS active of hk-1', 'sure', { smsActive: false }],
  ['Edit 1 hour of hk-1', '25 or so', { countOneHour: 25 }],
  ['Edit 10 minutes of hk-1', 'none', { countTenMinute: null }],
  ['Edit Setting of hk-1', '{"idealVolume":5}', { setting: '{"idealVolume":5}' }],
  ['Edit Slot of hk-1', 'WA 01b', { slot: 'WA 01b' }],
  ['Edit Valid days of hk-1', '30', { validityDays: '30' }],
  ['Edit Started of hk-1', '2026-11-01', { startedAt: '2026-10-31T16:00:00.000Z' }],
])('%s: what is typed is shown at once and sent as one field', async (name, typed, sent) => {
  await openPage(PATH, { server: withPhones(phone(1)), layout });
  spied();
  const toasts = toasted();
  await type(name, typed);
  await waitFor(() => expect(bodies()).toEqual([sent]));
  // One toast, which changes.
  await waitFor(() => expect(toasts()).toEqual([['updating..', 'updated, refreshing..', 'data loaded']]));
});

test('an edit that is refused says so in its own toast, which passes those of others and outlives their success', async () => {
  await openPage(PATH, { server: withPhones(phone(1)), layout });
  const serve = fetch;
  const refusal = { code: 'E_INVALID_REQUEST', message: 'No such number.', requestId: 'r' };
  vi.stubGlobal(
    'fetch',
    vi.fn(async (...given: Parameters<typeof fetch>) =>
      String(given[1]?.body).includes('refused')
        ? new Response(JSON.stringify(refusal), { status: 400 })
        : serve(...given),
    ),
  );
  const toasts = toasted();
  for (let at = 0; at < 8; at++)
    notifications.show({ id: `waits-${at}`, message: `done ${at}`, autoClose: false });
  expect(document.body.textContent).not.toContain('done 7');
  await type('Edit Remark of hk-1', 'refused');
  await type('Edit Slot of hk-1', 'WA 01b');
  await waitFor(() => expect(document.body.textContent).toContain('No such number.'));
  await waitFor(() => expect(toasts().flat()).toContain('data loaded'));
  expect(document.body.textContent).toContain('No such number.');
  expect(toasts()).toContainEqual(['updating..', 'No such number.']);
});

test('Escape leaves a field as it was, and so does what is typed again', async () => {
  await openPage(PATH, { server: FULL, layout });
  spied();
  await type('Edit Remark of hk-1', 'no', 'Escape');
  await type('Edit Port of hk-1', '8080');
  await cell('Edit Remark of hk-1: –');
  expect(bodies()).toEqual([]);
});

test('a field that is left as it was opened sends nothing, although the table has another value meanwhile', async () => {
  await openPage(PATH, { server: withPhones(phone(1, { remark: 'before' })), layout });
  spied();
  fireEvent.click(await cell('Edit Remark of hk-1: before'));
  const field = document.activeElement as HTMLInputElement;
  setServer(withPhones(phone(1, { remark: 'after', IMSI: '454009999999999' })));
  await act(() => queryClient.invalidateQueries(phonesQuery));
  await cell('Edit IMSI of hk-1: 454009999999999');
  fireEvent.blur(field);
  await cell('Edit Remark of hk-1: after');
  expect(bodies()).toEqual([]);
});

test('a field that was scrolled away is saved when another one is opened', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(4_000);
  const many = Array.from({ length: 120 }, (_, at) => phone(at + 1));
  await openPage(PATH, { server: withPhones(...many), layout });
  spied();
  fireEvent.click(await cell('Edit Remark of hk-2:'));
  fireEvent.change(document.activeElement as Element, { target: { value: 'on the shelf' } });
  const box = document.querySelector('table')?.parentElement as HTMLElement;
  box.scrollTop = 3_000;
  fireEvent.scroll(box);
  await waitFor(() => expect(document.querySelector('input[aria-label^="Edit Remark of hk-2"]')).toBeNull());
  expect(bodies()).toEqual([]);
  fireEvent.click(await cell('Edit Remark of hk-80:'));
  await waitFor(() => expect(bodies()).toEqual([{ remark: 'on the shelf' }]));
  expect(document.activeElement?.getAttribute('aria-label')).toContain('hk-80');
});

test.each(LANGUAGES)('a refused edit is told, and the table is read again (%s)', async (language) => {
  await openPage(PATH, { server: FULL, layout, language });
  spied();
  const remark = { en_US: 'Edit Remark of hk-1', zh_HK: '編輯 hk-1 的備註' }[language];
  fireEvent.click(await cell(remark));
  const field = document.activeElement as HTMLInputElement;
  fireEvent.change(field, { target: { value: 'never kept' } });
  setServer('failing');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(document.body.textContent).toContain('Not now.'));
  // The second failure is that of the table: it is empty and says so.
  await waitFor(() => expect(shown()).toContain(textIn(language, 'The phones could not be loaded.')));
  expect(shown()).not.toContain('hk-1');
  expect(shown()).not.toContain('never kept');
});

test('what is refused stays in its field with the reason, is not sent again as it is, and goes with Escape', async () => {
  await openPage(PATH, { server: withPhones(phone(1)), layout });
  const served = globalThis.fetch;
  const message = 'Port must be: a port from 1 to 65535.';
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, init?: RequestInit) =>
      init?.method === 'PUT'
        ? new Response(JSON.stringify({ code: 'E_PHONE_FIELD', message, requestId: 'r' }), { status: 400 })
        : served(url, init),
    ),
  );
  await type('Edit Port of hk-1', '99999');
  const refused = await waitFor(() => {
    const found = document.querySelector<HTMLButtonElement>('button[data-refused]');
    if (!found) throw new Error('nothing refused');
    return found;
  });
  const reason = () => document.getElementById(refused.getAttribute('aria-describedby') ?? '');
  await waitFor(() => expect(reason()?.textContent).toBe(message));
  expect(refused.textContent).toBe('99999');
  fireEvent.click(refused);
  const field = document.activeElement as HTMLInputElement;
  expect([field.value, field.getAttribute('aria-invalid')]).toEqual(['99999', 'true']);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(bodies()).toEqual([{ port: '99999' }]);
  fireEvent.click(await cell('Edit Port of hk-1'));
  fireEvent.keyDown(document.activeElement as HTMLInputElement, { key: 'Escape' });
  expect((await cell('Edit Port of hk-1')).textContent).toBe('8080');
  expect(document.querySelector('button[data-refused]')).toBeNull();
  await type('Edit Port of hk-1', '99998');
  await waitFor(() => expect(bodies()).toEqual([{ port: '99999' }, { port: '99998' }]));
});

test('the table is read every 60 seconds, but not while a field is edited', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] });
  await openPage(PATH, { server: FULL, layout });
  spied();
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  fireEvent.click(await cell('Edit Remark of hk-1'));
  await pass(180_000);
  expect(loads()).toBe(0);
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  await pass(60_000);
  await waitFor(() => expect(loads()).toBe(1));
  expect(shown()).toContain('data loaded');
});

test('a window that is looked at again reads the table, but not while a field is edited', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date'] });
  await openPage(PATH, { server: FULL, layout });
  spied();
  const lookAgain = () =>
    act(async () => {
      // What was just read is not read again.
      vi.setSystemTime(Date.now() + 60_000);
      window.dispatchEvent(new Event('visibilitychange'));
    });
  fireEvent.click(await cell('Edit Remark of hk-1'));
  await lookAgain();
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(loads()).toBe(0);
  await lookAgain();
  await waitFor(() => expect(loads()).toBe(1));
});

test('an edit that is stored is not said to be loaded if the table can not be read again', async () => {
  await openPage(PATH, { server: withPhones(phone(1)), layout });
  const serve = fetch;
  const refusal = { code: 'E_UNAVAILABLE', message: 'Not now.', requestId: 'r' };
  vi.stubGlobal(
    'fetch',
    vi.fn(async (...given: Parameters<typeof fetch>) =>
      String(given[0]).includes('/phoneNumberInventory?')
        ? new Response(JSON.stringify(refusal), { status: 503 })
        : serve(...given),
    ),
  );
  await type('Edit Remark of hk-1', 'kept');
  await waitFor(() => expect(document.body.textContent).toContain('updated, refreshing..'));
  await waitFor(() => expect(shown()).toContain('The phones could not be loaded.'));
  expect(document.body.textContent).not.toContain('data loaded');
});

test('the address says what is searched for', async () => {
  const phones = withPhones(phone(1, { remark: 'on the shelf' }), phone(2));
  await openPage(`${PATH}?q=SHELF`, { server: phones, layout });
  await cell('Edit Name of hk-1');
  expect(shown()).not.toContain('hk-2');
  fireEvent.change(document.querySelector('input[type="search"]') as Element, { target: { value: 'hk-2' } });
  await cell('Edit Name of hk-2');
  await waitFor(() => expect(window.location.search).toBe('?q=hk-2'));
  expect(shown()).not.toContain('hk-1');
});

test('another address, by a link or Back, searches for what it says', async () => {
  const { router } = await import('../router.ts');
  const field = () => document.querySelector<HTMLInputElement>('input[type="search"]')?.value;
  await openPage(`${PATH}?q=hk-1`, { server: withPhones(phone(1), phone(2)), layout });
  await cell('Edit Name of hk-1');
  fireEvent.change(document.querySelector('input[type="search"]') as Element, { target: { value: 'hk-2' } });
  await cell('Edit Name of hk-2');
  await waitFor(() => expect(window.location.search).toBe('?q=hk-2'));
  await act(() => router.navigate({ href: PATH }));
  await cell('Edit Name of hk-1');
  expect(field()).toBe('');
  act(() => router.history.back());
  await waitFor(() => expect(field()).toBe('hk-2'));
  await waitFor(() => expect(shown()).not.toContain('hk-1'));
});

test('a phone that is about to be given back keeps its place, one that was given back is told so', async () => {
  await openPage(PATH, {
    server: withPhones(
      phone(1, { remark: '#soft_release' }),
      phone(2, { remark: 'RELEASED', health: { whatsapp: 'unknown', sms: 'unknown', smsWeb: 'unknown' } }),
    ),
    layout,
  });
  const host = await cell('Edit SIM host of hk-1');
  expect(host.disabled).toBe(true);
  expect((await cell('Edit Phone number of hk-1')).disabled).toBe(false);
  expect(shown()).toContain('RELEASED');
});

test('the usage bar has five parts of the ideal volume', async () => {
  await openPage(PATH, { server: withPhones(phone(1)), layout });
  await cell('Edit Name of hk-1');
  const bar = document.querySelector('[aria-label="120 of 200 ideal messages today"]') as Element;
  const widths = [...bar.children].map((part) => (part.firstChild as HTMLElement).style.inlineSize);
  expect(widths).toEqual(['100%', '100%', '100%', '0%', '0%']);
});

test('a row opens the history of its balance', async () => {
  await openPage(PATH, { server: FULL, layout });
  await cell('Edit Name of hk-1');
  fireEvent.click(screen.getAllByText('130/4,200')[0] as Element);
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('Balance history'));
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('Reported'));
});

test('the panel tells the setting in words, with the people that a phone may write to', async () => {
  const setting = {
    shared: { from: 9, to: 18 },
    idealVolume: 2_000,
    isTransferAvailable: false,
    distinctRecipients: 1_500,
  };
  await openPage(PATH, { server: withPhones(phone(1, { setting })), layout });
  await cell('Edit Name of hk-1');
  fireEvent.click(screen.getAllByText('130/4,200')[0] as Element);
  const panel = await screen.findByRole('dialog');
  for (const fact of [
    "Serves everybodyfrom 9 to 18 o'clock",
    'Ideal volume a day2,000',
    'People in 24 hours, at most1,500',
    'Moving messagesnot available: it keeps its messages',
  ])
    expect(panel.textContent).toContain(fact);
});

test('a message that waits is transferred to the phone that an admin chooses', async () => {
  const phoneScore = {
    phoneName: 'hk-2',
    score: 1,
    sendsNow: true,
    weight: 1,
    transferJobRate: 1,
    idealVolume: 200,
    startedDays: 9,
    sentCount: 12,
    pendingCount: 3,
    stickyness: 0,
    chosen: true,
    why: 'Chosen: it is its turn among equals.',
  };
  const waiting = message(1, { status: 'PENDING', tags: ['predict-hk-2'] });
  await openPage('/dashboard/messages', {
    server: {
      ...FULL,
      'GET /account/:accountId/messages': { messages: [waiting], total: 1 },
      'GET /messages/:messageId/timeline': { message: waiting, steps: [], waiting: null, events: [] },
      'GET /job/:jobId/transferPreview': { phoneScores: [phoneScore] },
      'POST /job/:jobId/transfer': { toDevice: { phoneName: 'hk-2' } },
    },
    layout,
  });
  spied();
  fireEvent.click(await screen.findByText('text 1'));
  expect(await screen.findByText('predict-hk-2')).toBeTruthy();
  fireEvent.click(await screen.findByText('Transfer…'));
  expect(await screen.findByText('12 + 3 / 200')).toBeTruthy();
  fireEvent.click(screen.getByText('Transfer', { selector: 'button *' }));
  await waitFor(() => expect(document.body.textContent).toContain('transferred 1 jobs, refreshing result'));
  const sent = vi.mocked(fetch).mock.calls.find(([url]) => String(url).endsWith('/transfer'));
  expect(JSON.parse(String(sent?.[1]?.body))).toEqual({ phoneName: 'hk-2' });
});
