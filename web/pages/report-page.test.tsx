import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { button, field, submit, type } from '../testing/acts.ts';
import { FULL_ADMIN, figures, lane } from '../testing/admin-replies.ts';
import { openPage, STARTUP, setServer, textIn } from '../testing/open-page.tsx';
import { ACCOUNT_ID, profile, type Replies } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));

const layout: Replies = { 'GET /account/me/profile': profile('owner') };
const shown = () => document.querySelector('main')?.textContent ?? '';
const link = (text: string) =>
  waitFor(() => {
    const found = [...document.querySelectorAll<HTMLAnchorElement>('main a')].find(
      ({ textContent }) => textContent === text,
    );
    if (!found) throw new Error(`no link ${text}`);
    return found;
  });
const filtersOf = ({ href }: HTMLAnchorElement) =>
  JSON.parse(new URL(href).searchParams.get('filters') ?? 'null');

afterEach(() => vi.useRealTimers());

test('each row and figure of the reports opens the messages that it counts', async () => {
  await openPage('/dashboard/report?date=2026-03-04', { server: FULL_ADMIN, layout });
  const day = { dateFrom: '2026-03-04', dateTo: '2026-03-04', type: 'outgoing' };
  expect(filtersOf(await link('4,210'))).toEqual({ ...day, status: 'SUCCESS', channel: 'sms' });
  const choose = (text: string) =>
    fireEvent.click(screen.getByText(text, { selector: '[class*="SegmentedControl"] *' }));
  for (const [dimension, name, filter] of [
    ['Country', 'Hong Kong', { country: 'HK' }],
    ['Carrier', 'csl', { carrierNames: ['csl'] }],
    ['Provider', 'smpp', { provider: 'smpp' }],
    ['Phone', 'hk-1', { phoneId: 'hk-1' }],
  ] as const) {
    choose(dimension);
    expect(filtersOf(await link(name))).toEqual({ ...day, ...filter });
  }
});

test.each(LANGUAGES)('each slot is active or disabled (%s)', async (language) => {
  await openPage('/dashboard/report', { server: FULL_ADMIN, layout, language });
  await waitFor(() => expect(shown()).toContain('box-1.lan'));
  expect(shown()).toContain(textIn(language, 'active'));
  expect(shown()).toContain(textIn(language, 'disabled'));
  for (const slot of ['WA 01', 'WA 02', 'WA 01b', 'WA 02b', 'SIM 01', 'SIM 02', 'SIM 03'])
    expect(shown()).toContain(slot);
});

test('the report is read every 5 seconds, and what it showed stays meanwhile', async () => {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
  });
  await openPage('/dashboard/report', { server: FULL_ADMIN, layout });
  await waitFor(() => expect(shown()).toContain('4,321'));
  setServer('silent');
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  expect(shown()).toContain('4,321');
  expect(document.querySelector('[class*="mantine-Skeleton-root"]')).toBeNull();
});

test('a report that changes shows the new figures', async () => {
  await openPage('/dashboard/report', { server: FULL_ADMIN, layout });
  await waitFor(() => expect(shown()).toContain('97.5%'));
  const advance = FULL_ADMIN['GET /report/advance'];
  if (!advance) throw new Error('no report');
  const total = { ...advance.total, now: figures({ successRate: 0.5 }) };
  setServer({ ...FULL_ADMIN, 'GET /report/advance': { ...advance, total } });
  await waitFor(() => expect(shown()).toContain('50.0%'));
});

test.each(LANGUAGES)('what needs a hand has its action (%s)', async (language) => {
  await openPage('/dashboard/overview', { server: FULL_ADMIN, layout, language });
  await link(textIn(language, 'Look at it'));
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main li a')];
  expect(links.map(({ pathname, search }) => `${pathname}${search}`)).toEqual([
    '/dashboard/in-doubt',
    '/dashboard/lanes?state=down',
    '/dashboard/phone?notice=DOWN',
  ]);
  await button(textIn(language, 'Look at it'));
});

test.each(LANGUAGES)('a lane is paused, and the server says no (%s)', async (language) => {
  await openPage('/dashboard/lanes', { server: FULL_ADMIN, layout, language });
  fireEvent.click(await screen.findByText('smpp-hkt'));
  const pause = () => screen.findByText(textIn(language, 'Pause'), { selector: 'button *' });
  vi.stubGlobal('fetch', vi.fn(fetch));
  fireEvent.click(await pause());
  await waitFor(() => expect(document.body.textContent).toContain('ok'));
  const sent = vi.mocked(fetch).mock.calls.find(([, init]) => init?.method === 'POST');
  expect([String(sent?.[0]), JSON.parse(String(sent?.[1]?.body))]).toEqual([
    '/api/admin/lanes/7/mode',
    { mode: 'paused' },
  ]);
  setServer('failing');
  fireEvent.click(await pause());
  await waitFor(() => expect(document.body.textContent).toContain('Not now.'));
});

test('of a lane only what was changed is sent, and a secret that is not shown stays', async () => {
  await openPage('/dashboard/lanes', { server: FULL_ADMIN, layout });
  fireEvent.click(await screen.findByText('smpp-hkt'));
  fireEvent.click(await screen.findByText('Edit', { selector: 'button *' }));
  expect(await field('SMPP_PASSWORD')).toMatchObject({ type: 'password', value: '' });
  await type('SMPP_URL', 'smpp://other');
  await type('Countries', 'hk, sg');
  await type('Purchase price by country (USD)', 'sg 0.031\n hk 0.02 ');
  await type('Most messages in 1 hour', 'many');
  await type('Only for these accounts', 'ann@example.com');
  vi.stubGlobal('fetch', vi.fn(fetch));
  await submit('Edit smpp-hkt');
  await waitFor(() => expect(document.body.textContent).toContain("can't be read: ann@example.com"));
  expect(document.body.textContent).toContain('Enter a whole number from 0 to 1000000000.');
  await type('Most messages in 1 hour', '40');
  await type('Only for these accounts', ACCOUNT_ID);
  await submit('Edit smpp-hkt');
  await waitFor(() =>
    expect(vi.mocked(fetch).mock.calls.some(([, init]) => init?.method === 'PUT')).toBe(true),
  );
  const sent = vi.mocked(fetch).mock.calls.find(([, init]) => init?.method === 'PUT');
  expect(JSON.parse(String(sent?.[1]?.body))).toEqual({
    countries: ['HK', 'SG'],
    countryCosts: { SG: '0.031', HK: '0.02' },
    throttle: { ...lane().throttle, countOneHour: 40 },
    dedicatedTo: [ACCOUNT_ID],
    settings: { SMPP_URL: 'smpp://other' },
  });
});

test.each(LANGUAGES)('a file of prices shows what it changes before it does (%s)', async (language) => {
  await openPage('/dashboard/prices', { server: FULL_ADMIN, layout, language });
  await waitFor(() => expect(shown()).toContain('Singtel'));
  fireEvent.click(await screen.findByText(textIn(language, 'Import CSV'), { selector: 'button *' }));
  const field = await waitFor(() => {
    const found = document.querySelector('input[type="file"]');
    if (!found) throw new Error('no field');
    return found;
  });
  vi.stubGlobal('fetch', vi.fn(fetch));
  fireEvent.change(field, { target: { files: [new File(['channel,unitPrice\nsms,0.05'], 'prices.csv')] } });
  await waitFor(() => expect(document.body.textContent).toContain('Singtel: 0.05'));
  expect(document.body.textContent).toContain('Singtel: 0.041');
  const bodies = () =>
    vi
      .mocked(fetch)
      .mock.calls.flatMap(([, init]) => (init?.method === 'POST' ? [JSON.parse(String(init.body))] : []));
  expect(bodies()).toEqual([{ csv: 'channel,unitPrice\nsms,0.05', preview: true }]);
  const imported = FULL_ADMIN['POST /admin/prices/import'];
  if (!imported) throw new Error('no reply');
  setServer({ ...FULL_ADMIN, 'POST /admin/prices/import': { ...imported, done: true } });
  fireEvent.click(await screen.findByText(textIn(language, 'Set these prices'), { selector: 'button *' }));
  await waitFor(() => expect(document.body.textContent).toContain(textIn(language, '1 prices were set.')));
  expect(bodies()[1]).toMatchObject({ preview: false });
});
