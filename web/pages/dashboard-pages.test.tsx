import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { AccountId } from '../../contract/customer/accounts.ts';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { EMPTY_ADMIN, FULL_ADMIN } from '../testing/admin-replies.ts';
import { openPage, STARTUP, setServer, textIn, textsIn, unanswered } from '../testing/open-page.tsx';
import { BATCH_ID, EMPTY, FULL, message, profile, type Replies, UPLOAD_ID } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));
// It brings an editor: loading that must not count against the time of a test.
await import('./admin/query.tsx');

interface Case {
  path: string;
  title: string;
  /** Texts that show the state; without any, the page is only reached when there is something to show. */
  empty?: string[];
  full: string[];
  /** What is said when nothing can be loaded. */
  failing: string;
  admin?: true;
}

const id = message(1)._id;

const CASES: Case[] = [
  {
    path: '/dashboard/devices',
    title: 'Devices',
    empty: ['Need more devices?'],
    full: ['wa-hk-00000001', 'RUNNING', '+85261110001', 'wa-hk-00000002', 'STOPPED'],
    failing: 'The devices could not be loaded.',
  },
  {
    path: '/dashboard/messages',
    title: 'Messages',
    empty: ['No messages were found', 'Showing 0-0, 0 Found'],
    full: ['text 1', 'text 2', 'Showing 1-2, 2 Found'],
    failing: 'The messages could not be loaded.',
  },
  {
    path: '/dashboard/messages/log',
    title: 'Message log',
    empty: ['No messages were found'],
    full: ['text 1', 'USD 0.032051'],
    failing: 'The message log could not be loaded.',
  },
  {
    path: `/dashboard/messages/details/${id}`,
    title: 'Message',
    empty: ['No event of this message was sent to a webhook.'],
    full: ['Delivered', '200'],
    failing: 'The message could not be loaded.',
  },
  {
    path: '/dashboard/messages/send',
    title: 'Send message',
    empty: ['Target phone number'],
    full: ['Target phone number'],
    failing: 'The page could not be loaded.',
  },
  {
    path: `/dashboard/messages/send?upload=${UPLOAD_ID}`,
    title: 'Send message',
    full: ['people.csv', 'Hello Amber!', 'Not a number.', '0.032051'],
    failing: 'This check could not be loaded. Files that were not sent are kept for a day.',
  },
  {
    path: `/dashboard/messages/send?batch=${BATCH_ID}&upload=${UPLOAD_ID}`,
    title: 'Send message',
    full: ['people.csv', 'All 2 messages have ended.', 'What FAILED is refunded to the balance.'],
    failing: 'The progress could not be read.',
  },
  {
    path: `/dashboard/messages/batches/${BATCH_ID}`,
    title: 'Batch',
    full: ['people.csv', 'Website', 'The number is switched off.'],
    failing: 'The batches could not be loaded.',
  },
  {
    path: '/dashboard/messages/batches',
    title: 'Batches',
    empty: ['No file has been sent yet.'],
    full: ['people.csv', 'Website', '2 / 2'],
    failing: 'The batches could not be loaded.',
  },
  {
    path: '/dashboard/messages/contacts',
    title: 'Contacts',
    empty: ['No contacts yet.'],
    full: ['Ann', 'prefers mornings', 'Load more'],
    failing: 'The contacts could not be loaded.',
  },
  {
    path: '/dashboard/messages/opt-outs',
    title: 'Opt-outs',
    empty: ['Nobody has opted out.', '0 found'],
    full: ['+85261113333', 'Wong', 'wrote back', '1 found'],
    failing: 'The opt-outs could not be loaded.',
  },
  {
    path: '/dashboard/payments',
    title: 'Payments',
    empty: ['No payments yet.'],
    full: ['HKD 156.00', 'FAILED', 'insufficient funds'],
    failing: 'The payment history could not be loaded.',
  },
  {
    path: '/dashboard/payments?tab=ledger',
    title: 'Payments',
    empty: ['No movements found.'],
    full: ['-4.50', '25.50', 'goodwill'],
    failing: 'The ledger could not be loaded.',
  },
  {
    path: '/dashboard/billing',
    title: 'Billing',
    empty: ['Nothing was sent in this month.'],
    full: ['SMS to Hong Kong'],
    failing: 'The bill could not be loaded.',
  },
  {
    path: '/dashboard/integration',
    title: 'Integration',
    empty: ['No calls yet.'],
    full: ['POST /api/sms/send', 'E_PHONE_INVALID'],
    failing: 'The API details could not be loaded.',
  },
  {
    path: '/dashboard/integration/events',
    title: 'Webhook events',
    empty: ['There are no events yet.'],
    full: ['200'],
    failing: 'The events could not be loaded.',
  },
  {
    path: '/dashboard/profile',
    title: 'Profile',
    empty: ['12.50'],
    full: ['12.50'],
    failing: 'Your profile could not be loaded.',
  },
  {
    path: '/dashboard/settings',
    title: 'Profile Settings',
    empty: ['Auto charge', 'Email address or domain'],
    full: ['Auto charge', '+85261110000', 'Send a new code', '_posthorn.example.com', 'Check now'],
    failing: 'Your settings could not be loaded.',
  },
  {
    path: '/dashboard/retention',
    title: 'Data retention',
    empty: ['Nothing has been removed yet.'],
    full: ['Copies of mails'],
    failing: 'The retention rules could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/accounts',
    title: 'Accounts',
    empty: ['No accounts were found.'],
    full: ['ann@example.com', '25.50', '42.00'],
    failing: 'The accounts could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/admins',
    title: 'Admins',
    empty: ['There are no admins.'],
    full: ['boss@example.com', 'soon@example.com', 'Invited'],
    failing: 'The admins could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/audit',
    title: 'Audit log',
    empty: ['No entries were found.'],
    full: ['boss@example.com', 'PUT /admin/lanes/:laneId', 'Done'],
    failing: 'The audit log could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/in-doubt',
    title: 'In doubt',
    empty: ['No message is in doubt'],
    full: ['smpp-1', 'The carrier gave no answer.', 'ann@example.com'],
    failing: 'The messages in doubt could not be loaded.',
    admin: true,
  },
  {
    path: `/dashboard/queue/${id}`,
    title: 'Queue of a lane',
    empty: ['The message does not wait in a lane'],
    full: ['smpp-1', 'Lee', '+85261112222', 'this message'],
    failing: 'The queue could not be loaded.',
    admin: true,
  },
  {
    path: '/qf/payment?email=ann',
    title: 'Payments of all accounts',
    empty: ['No payment matches the search.'],
    full: ['ann@example.com', 'HKD 156.00', 'HKD 39.00'],
    failing: 'The payments could not be loaded.',
    admin: true,
  },
  {
    path: '/qf/query',
    title: 'QF Query',
    empty: ['There is no zone to ask'],
    full: ['Oversea QA', 'merchant_hk', 'select count(*) from merchant', 'select 1 (ann@example.com)'],
    failing: 'The query tool could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/phone',
    title: 'Phones',
    empty: ['There are no phones yet.'],
    full: ['hk-1', 'hk-2', 'UP', 'TOPUP', '2 days', '130/4,200'],
    failing: 'The phones could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/report?date=2026-03-04',
    title: 'Report',
    empty: ['No messages on this day.', 'No phone has a slot.', 'There is no lane for WhatsApp.'],
    full: ['4,321', '97.5%', '38.25', 'box-1.lan', 'hk-2 · 0', 'hk-1.whatsapp'],
    failing: 'The report could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/overview',
    title: 'Overview',
    empty: ['All is well: nothing needs a hand.'],
    full: ['Messages in doubt', 'smpp-hkt', 'Phones that are DOWN', 'wallet.reconcile'],
    failing: 'The overview could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/prices',
    title: 'Prices',
    empty: ['There are no prices.'],
    full: ['Singtel', '0.041', '0.02 – 0.0305'],
    failing: 'The prices could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/lanes',
    title: 'Lanes',
    empty: ['There are no lanes.', 'No lane names a route.', 'No prefix is known.'],
    full: ['smpp-hkt', 'DOWN', '1,234', 'worker-1', '0.0125', 'smpp-cmhk', '+8526'],
    failing: 'The lanes could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/unassigned',
    title: 'Unassigned messages',
    empty: ['Every message that arrived belongs to an account.'],
    full: ['who is this?', '+85261113333', 'smpp-hkt'],
    failing: 'The unassigned messages could not be loaded.',
    admin: true,
  },
  {
    path: '/dashboard/phone/agents',
    title: 'Agents',
    empty: ['No agent has joined yet.'],
    full: ['pi-1', 'Connected', '0.1.0', 'hk-1', 'UP'],
    failing: 'The agents could not be loaded.',
    admin: true,
  },
];

const asAdmin = (replies: Replies): Replies => ({
  ...replies,
  ...(replies === EMPTY ? EMPTY_ADMIN : FULL_ADMIN),
  'GET /account/me/profile': profile('owner'),
});
const shown = () => document.querySelector('main')?.textContent ?? '';
const titleOf = () => document.querySelector('h1')?.textContent;
/** Found by their texts: to look for a role takes longer than all the rest of a test. */
const buttons = (text: string) =>
  [...document.querySelectorAll('button')].filter(({ textContent }) => textContent === text);

describe.each(CASES)('$path', ({ path, title: name, empty = [], full, failing, admin }) => {
  const layout: Replies = admin ? { 'GET /account/me/profile': profile('owner') } : {};
  const given = (replies: Replies) => (admin ? asAdmin(replies) : replies);

  const isEmpty = async () => {
    await openPage(path, { server: given(EMPTY), layout });
    expect(titleOf()).toBe(name);
    await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeNull());
    for (const text of empty) await waitFor(() => expect(shown()).toContain(text));
    for (const text of full.filter((one) => !empty.includes(one))) expect(shown()).not.toContain(text);
    expect(document.querySelector('main [role="alert"]')).toBeNull();
    expect(unanswered).toEqual([]);
  };
  if (empty.length > 0) test('is empty before anything was done', isEmpty);

  test('shows what there is', async () => {
    await openPage(path, { server: given(FULL), layout });
    for (const text of full) await waitFor(() => expect(shown()).toContain(text));
    // No label without a text.
    expect(shown()).not.toMatch(/\[[a-z_]+\.[a-z_.]+\]/);
    expect(unanswered).toEqual([]);
  });

  describe.each(LANGUAGES)('%s', (language) => {
    const said = (texts: string[]) => texts.map((text) => textIn(language, text));
    const [fault = ''] = said([failing]);
    const counted = { en_US: 'Showing', zh_HK: '顯示第' }[language];

    test('has its title and claims nothing while it loads', async () => {
      await openPage(path, { server: 'silent', layout, language });
      expect(textsIn(language, name)).toContain(titleOf());
      for (const text of [...said([...full, ...empty]), counted, fault]) expect(shown()).not.toContain(text);
    });

    test('says what could not be loaded, and tries again', async () => {
      await openPage(path, { server: 'failing', layout, language });
      await waitFor(() => expect(shown()).toContain(fault));
      for (const text of [...said(empty), counted]) expect(shown()).not.toContain(text);
      // One click on each is enough, and the failure goes.
      setServer(given(FULL));
      const again = buttons(textIn(language, 'Try again'));
      expect(again.length).toBeGreaterThan(0);
      for (const button of again) fireEvent.click(button);
      for (const text of said(full)) await waitFor(() => expect(shown()).toContain(text));
      await waitFor(() => expect(shown()).not.toContain(fault));
      expect(shown()).not.toMatch(/\[[a-z_]+\.[a-z_.]+\]/);
    });
  });
});

test('a batch that is not there is told so', async () => {
  await openPage(`/dashboard/messages/batches/${BATCH_ID}`, { server: EMPTY });
  await waitFor(() => expect(shown()).toContain('There is no such batch.'));
  expect(shown()).not.toContain('could not be loaded');
});

test('the panel beside the list of messages has the details, also for one of another account', async () => {
  await openPage('/dashboard/messages', { server: asAdmin(FULL) });
  fireEvent.click(await screen.findByText('text 1'));
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('Delivered'));
  expect(screen.getByRole('dialog').textContent).toContain('Segments: 1');
});

test("an admin sees that another account's message came with a file, and is not offered it", async () => {
  const media = {
    _id: id,
    kind: 'document',
    mimeType: 'application/pdf',
    fileName: 'contract.pdf',
    bytes: 10,
    state: 'STORED',
  } as const;
  const of = (accountId: string) =>
    openPage(`/dashboard/messages/details/${id}`, {
      server: asAdmin({
        ...FULL,
        'GET /messages/:messageId/timeline': {
          message: message(1, {
            type: 'incoming',
            channel: 'whatsapp',
            accountId: accountId as AccountId,
            media,
          } as never),
          steps: [],
          waiting: null,
          events: [],
        },
      }),
    });
  await of(profile()._id);
  expect(await screen.findByRole('button', { name: 'Download contract.pdf' })).toBeTruthy();
  await of(message(9)._id);
  await waitFor(() => expect(shown()).toContain('contract.pdf'));
  expect(screen.queryByRole('button', { name: 'Download contract.pdf' })).toBeNull();
});

test('what is filtered by follows the address', async () => {
  await openPage(`/dashboard/integration/events?messageId=${id}&dateFrom=2026-11-01`, { server: FULL });
  const typed = () =>
    [...document.querySelectorAll<HTMLInputElement>('search input:not([type="date"])')].map(
      ({ value }) => value,
    );
  await waitFor(() => expect(typed()).toEqual(['2026-11-01', '', id]));
  fireEvent.click(screen.getByRole('link', { name: 'Webhook events' }));
  await waitFor(() => expect(typed()).toEqual(['', '', '']));
});

test('a search that is cleared before it was made leaves nothing in its fields', async () => {
  await openPage('/dashboard/audit', { server: asAdmin(FULL) });
  const day = () => document.querySelector('search input[placeholder="yyyy-MM-dd"]') as HTMLInputElement;
  await waitFor(() => expect(day()).not.toBeNull());
  for (const typed of ['2026-11-01', '2026-11']) {
    fireEvent.change(day(), { target: { value: typed } });
    expect(day().value).toBe(typed);
    fireEvent.blur(day());
    expect(shown().includes('Write the day as yyyy-MM-dd.')).toBe(typed === '2026-11');
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(() => expect(day().value).toBe(''));
  }
});

test('auto charge that could not be turned on is shown as off', async () => {
  const paymentSetting = { ...profile().paymentSetting, autoChargeAmount: 25, cardId: 'card' };
  await openPage('/dashboard/settings', {
    server: { ...FULL, 'GET /account/me/profile': { ...profile(), paymentSetting } },
  });
  const turn = await screen.findByRole<HTMLInputElement>('switch', { name: /^Auto charge/ });
  const others = fetch;
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) =>
    given[1]?.method === 'PUT' ? Promise.reject(new TypeError('no line')) : others(...given),
  );
  fireEvent.click(turn);
  expect(turn.checked).toBe(true);
  await waitFor(() => expect(turn.checked).toBe(false));
});

test('the amounts of payments are not all in dollars, and their column does not say so', async () => {
  await openPage('/dashboard/payments', { server: FULL });
  await screen.findByText('HKD 156.00');
  expect(screen.getByRole('columnheader', { name: /^Amount/ }).textContent).toBe('Amount');
});

test('an admin has more columns and filters than a customer', async () => {
  await openPage('/dashboard/messages', { server: FULL });
  await screen.findByText('text 1');
  expect(screen.queryByRole('columnheader', { name: 'Updated' })).toBeNull();
  await openPage('/dashboard/messages', { server: asAdmin(FULL) });
  await screen.findByText('text 1');
  expect(screen.getByRole('columnheader', { name: 'Updated' })).toBeTruthy();
});

test('an address from when there were more messages leads to the last page that there is', async () => {
  const filters = encodeURIComponent(JSON.stringify({ page: 40 }));
  await openPage(`/dashboard/messages?filters=${filters}`, { server: FULL });
  await waitFor(() => expect(shown()).toContain('Showing 1-2, 2 Found'));
});

test.each(LANGUAGES)(
  'what waits, what is in doubt and what was delivered can be searched for (%s)',
  async (language) => {
    await openPage('/dashboard/messages', { server: FULL, language });
    await waitFor(() => expect(shown()).toContain('text 1'));
    fireEvent.click(screen.getByRole('button', { name: textIn(language, 'Filters') }));
    const choose = (name: string, value: string) =>
      fireEvent.change(document.querySelector(`select[name="${name}"]`) as Element, { target: { value } });
    choose('status', 'FAILED_WITH_EXCEPTION');
    choose('scheduled', 'true');
    choose('delivered', 'true');
    fireEvent.click(screen.getByRole('button', { name: textIn(language, 'Search') }));
    await waitFor(() => expect(shown()).toContain(textIn(language, 'Due later')));
    const chips = shown();
    for (const text of ['Unknown outcome', 'Delivered']) expect(chips).toContain(textIn(language, text));
    expect(JSON.parse(new URLSearchParams(window.location.search).get('filters') ?? '')).toMatchObject({
      status: 'FAILED_WITH_EXCEPTION',
      scheduled: 'true',
      delivered: 'true',
    });
  },
);

test('a list that could be read before and not again stays, and is called old', async () => {
  await openPage('/dashboard/messages', { server: FULL });
  await screen.findByText('text 1');
  setServer('failing');
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(shown()).toContain('What is shown may be out of date.'));
  expect(shown()).toContain('text 1');
  expect(shown()).not.toContain('Showing');
});

test('what a page refuses in its address does not reach it', async () => {
  await openPage('/dashboard/payments?tab=nonsense', { server: FULL });
  await waitFor(() => expect(shown()).toContain('Payment History'));
  await openPage('/dashboard/payments?tab=ledger&dateFrom=2026-02-30', { server: FULL });
  await waitFor(() => expect(shown()).toContain('goodwill'));
  expect(document.querySelector<HTMLInputElement>('input[placeholder="yyyy-MM-dd"]')?.value).toBe('');
  await openPage('/dashboard/billing?date=soon', { server: FULL });
  await waitFor(() => expect(shown()).toContain('SMS to Hong Kong'));
});

test.each([
  ['/dashboard/payments?tab=ledger', { tab: 'ledger', kind: 'TOP_UP', dateFrom: '2026-11-01' }],
  ['/dashboard/integration/events', { type: 'message.sent', dateFrom: '2026-11-01' }],
])('two choices at once are both kept: %s', async (path, search) => {
  await openPage(path, { server: FULL });
  const field = (selector: string) => document.querySelector(`search ${selector}`) as Element;
  await waitFor(() => expect(field('select')).not.toBeNull());
  const { kind, type, dateFrom } = search as Record<string, string>;
  act(() => {
    fireEvent.change(field('select'), { target: { value: kind ?? type } });
    fireEvent.change(field('input[placeholder="yyyy-MM-dd"]'), { target: { value: dateFrom } });
  });
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual(search),
  );
});

test('the sandbox is told before the cards are known, so that it pushes nothing away', async () => {
  document.head.innerHTML = '<meta name="card-hosts" content="not-needed" />';
  await openPage('/dashboard/payments', { server: 'silent' });
  document.head.innerHTML = '';
  expect(shown()).toContain('Sandbox: no real cards');
});

test('nothing is paid before the cards are known', async () => {
  await openPage('/dashboard/payments', { server: 'silent' });
  fireEvent.click(screen.getByRole('button', { name: 'Top up now' }));
  const pay = await screen.findByRole<HTMLButtonElement>('button', { name: 'Pay Now' });
  expect(pay.disabled).toBe(true);
  expect(shown()).not.toContain('Select valid card');
});

test('a top-up whose cards could not be loaded says so, and pays after a second try', async () => {
  await openPage('/dashboard/payments', { server: 'failing' });
  fireEvent.click(screen.getByRole('button', { name: 'Top up now' }));
  const form = within(await screen.findByRole('form', { name: 'Top up' }));
  const pay = form.getByRole<HTMLButtonElement>('button', { name: 'Pay Now' });
  expect(await form.findByRole('alert')).toHaveProperty(
    'textContent',
    expect.stringContaining('Your cards could not be loaded.'),
  );
  expect(pay.disabled).toBe(true);
  setServer(FULL);
  fireEvent.click(form.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(pay.disabled).toBe(false));
  expect(form.queryByRole('alert')).toBeNull();
});

test('each part of Payments that could not be loaded says so', async () => {
  await openPage('/dashboard/payments', { server: 'failing' });
  for (const text of ['Your cards could not be loaded.', 'The payment history could not be loaded.'])
    await waitFor(() => expect(shown()).toContain(text));
});

test('the API secret is there after a second try', async () => {
  await openPage('/dashboard/integration', { server: 'failing' });
  await waitFor(() => expect(shown()).toContain('The API details could not be loaded.'));
  expect(screen.queryByLabelText('API secret')).toBeNull();
  setServer(FULL);
  for (const button of screen.getAllByRole('button', { name: 'Try again' })) fireEvent.click(button);
  expect(await screen.findByLabelText('API secret')).toBeTruthy();
});

test('the signing secret of a session of some time ago is shown after the password', async () => {
  const masked = { ...FULL['GET /account/:accountId/webhook'], masked: true, secret: '••••••••••••vY3Q' };
  await openPage('/dashboard/integration/events', {
    server: { ...FULL, 'GET /account/:accountId/webhook': masked } as Replies,
  });
  const field = () => screen.findByLabelText<HTMLInputElement>('Signing secret');
  expect((await field()).value).toBe('••••••••••••vY3Q');
  expect(screen.queryByRole('button', { name: 'Copy the signing secret' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show the signing secret' }));
  const form = within(await screen.findByRole('form', { name: 'Is it you?' }));
  setServer({ ...FULL, 'POST /account/:accountId/confirmPassword': { message: '' } } as Replies);
  fireEvent.change(form.getByLabelText('Password'), { target: { value: 'correct horse battery' } });
  fireEvent.click(form.getByRole('button', { name: 'Show the secrets' }));
  await waitFor(async () => expect((await field()).value).toBe('whsec_c2VjcmV0'));
  expect((await field()).type).toBe('text');
  expect(screen.getByRole('button', { name: 'Copy the signing secret' })).toBeTruthy();
});
