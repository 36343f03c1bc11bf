import { fireEvent, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Reply } from '../../contract/calls.ts';
import type { AdminRole } from '../../contract/customer/admin-roles.ts';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { button, hasButton, openRow, press, sent, submit, type } from '../testing/acts.ts';
import { FULL_ADMIN } from '../testing/admin-replies.ts';
import { openPage, STARTUP, setServer, textIn } from '../testing/open-page.tsx';
import { customer, FULL, profile, type Replies } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));

type Sender = Reply<'GET /admin/senders'>['senders'][number];

const as = (role: AdminRole): Replies => ({
  'GET /account/me/profile': profile(role),
});
const shown = () => document.body.textContent ?? '';
const openAccount = async (role: AdminRole, replies: Replies = {}, language: 'en_US' | 'zh_HK' = 'en_US') => {
  await openPage('/dashboard/accounts', { server: { ...FULL, ...replies }, layout: as(role), language });
  vi.stubGlobal('fetch', vi.fn(fetch));
  await openRow('ann@example.com');
};

test.each(LANGUAGES)('a suspension asks for a reason, in %s', async (language) => {
  await openAccount(
    'support',
    { 'POST /admin/accounts/:accountId/suspension': { message: 'suspended' } },
    language,
  );
  const suspend = textIn(language, 'Suspend');
  fireEvent.click(await button(suspend));
  const dialog = await waitFor(() => {
    const found = document.querySelector<HTMLFormElement>(`form[aria-label="${suspend}"]`);
    if (!found) throw new Error('no dialog');
    return found;
  });
  fireEvent.submit(dialog);
  await waitFor(() => expect(shown()).toContain(textIn(language, 'Enter a reason.')));
  expect(sent('POST')).toEqual([]);
  await type(textIn(language, 'Reason'), ' spam ');
  fireEvent.submit(dialog);
  await waitFor(() => expect(sent('POST')).toMatchObject([{ body: { reason: 'spam' } }]));
});

test('the panel of an account that the list no longer has tells its state as it is now', async () => {
  const suspension = { 'POST /admin/accounts/:accountId/suspension': { message: 'suspended' } };
  await openAccount('support', suspension);
  await button('Suspend');
  const others = fetch;
  const found = (accounts: ReturnType<typeof customer>[]) =>
    new Response(JSON.stringify({ accounts, more: false }), { status: 200 });
  vi.stubGlobal(
    'fetch',
    vi.fn(async (...given: Parameters<typeof fetch>) => {
      const url = String(given[0]);
      if (!url.includes('/admin/accounts?')) return others(...given);
      return found(url.includes('keyword=') ? [customer({ state: 'suspended' })] : []);
    }),
  );
  await press('Suspend');
  await type('Reason', 'spam');
  await submit('Suspend');
  await button('Restore');
  expect(hasButton('Suspend')).toBe(false);
});

test('the same adjustment is sent with the same key until it is changed', async () => {
  await openAccount('finance', { 'POST /account/:accountId/adjustment': { balance: 30 } });
  fireEvent.click(await button('Adjust balance'));
  await type('Amount in USD', '-4.50');
  await type('Reason', 'goodwill');
  const form = document.querySelector('form[aria-label="Adjust balance"]') as HTMLFormElement;
  fireEvent.submit(form);
  await waitFor(() =>
    expect(sent('POST')).toMatchObject([{ body: { amount: '-4.50', reason: 'goodwill' } }]),
  );
});

test.each(LANGUAGES)('accounts whose webhook fails are reached from the overview (%s)', async (language) => {
  const failing = customer({ webhookFailingSince: '2026-03-04T05:06:07.000Z' });
  const replies: Replies = {
    ...FULL_ADMIN,
    'GET /admin/overview': {
      at: '2026-03-04T05:06:07.000Z',
      concerns: [{ kind: 'webhooks', count: 2, names: [], since: null }],
      traffic: [],
    },
    'GET /admin/accounts': { accounts: [failing], more: false },
  };
  await openPage('/dashboard/overview', { server: { ...FULL, ...replies }, layout: as('support'), language });
  vi.stubGlobal('fetch', vi.fn(fetch));
  const look = await waitFor(() => {
    const found = document.querySelector('main li a');
    if (!found) throw new Error('no link');
    return found;
  });
  fireEvent.click(look);
  await openRow('ann@example.com');
  expect(sent('GET').map(({ path }) => path)).toContainEqual(expect.stringContaining('webhook=failing'));
  await waitFor(() => expect(shown()).toContain(textIn(language, 'Webhook failing since')));
});

test('each role sees what it may do, and an account what its state allows', async () => {
  await openAccount('support');
  await button('See as the customer');
  expect(hasButton('Adjust balance')).toBe(false);
  expect(document.querySelector('main nav')).toBeNull();
  await openAccount('finance');
  await button('Adjust balance');
  expect(hasButton('See as the customer')).toBe(false);
  const late = customer({ state: 'unactivated' });
  await openAccount('owner', { 'GET /admin/accounts': { accounts: [late], more: false } });
  await button('Send activation mail again');
  expect(hasButton('Adjust balance')).toBe(false);
  const held = customer({ state: 'suspended', suspendedReason: 'spam' });
  await openAccount('owner', { 'GET /admin/accounts': { accounts: [held], more: false } });
  await button('Restore');
  expect(shown()).toContain('spam');
});

test('the sidebar and the pages are those of the role', async () => {
  const entries = () => [...document.querySelectorAll('nav a')].map(({ textContent }) => textContent);
  await openPage('/dashboard/profile', { server: FULL, layout: as('finance') });
  await waitFor(() => expect(entries()).toContain('QF Query'));
  expect(entries()).not.toContain('Phones');
  await openPage('/dashboard/audit', { server: FULL, layout: as('support') });
  expect(document.querySelector('h1')?.textContent).not.toBe('Audit log');
});

test('who sees an account as its owner does is told so above every page', async () => {
  const view = { mayChange: false, until: '2026-03-01T10:15:00.000Z' };
  const layout: Replies = { 'GET /account/me/profile': { ...profile(), view } };
  await openPage('/dashboard/profile', { server: FULL, layout });
  await waitFor(() =>
    expect(shown()).toContain('You see the account of someone@example.com as its owner does'),
  );
  expect(shown()).toContain('Nothing can be changed. It ends at 18:15');
});

/** A tab in which an admin sees an account as its owner does, and where it goes. */
const openView = async (language: 'en_US' | 'zh_HK' = 'en_US') => {
  const view = { mayChange: false, until: '2026-03-01T10:15:00.000Z' };
  const layout: Replies = { 'GET /account/me/profile': { ...profile(), view } };
  await openPage('/dashboard/profile', { server: FULL, layout, language });
  const kept = { token: 'view-token', accountId: profile()._id, reason: 'a call' };
  for (const [key, value] of Object.entries(kept)) sessionStorage.setItem(`view:${key}`, value);
  onTestFinished(() => sessionStorage.clear());
  const go = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  onTestFinished(() => go.mockRestore());
  return { go };
};

test.each(LANGUAGES)(
  'changes are allowed from the banner, by the password of the admin (%s)',
  async (language) => {
    const t = (text: string) => textIn(language, text);
    const until = '2026-03-01T10:15:00.000Z';
    const { go } = await openView(language);
    setServer({
      ...FULL,
      'POST /account/logout': { message: '' },
      'POST /admin/accounts/:accountId/view': {
        token: 'wider-token',
        email: 'someone@example.com',
        mayChange: true,
        until,
      },
    });
    vi.stubGlobal('fetch', vi.fn(fetch));
    await press(t('Allow changes'));
    await type(t('Your password'), 'correct horse');
    await submit(t('Allow changes'));
    await waitFor(() => expect(go).toHaveBeenCalledWith('/dashboard/profile'));
    expect(sent('POST')).toMatchObject([
      {
        path: `/api/admin/accounts/${profile()._id}/view`,
        body: { reason: 'a call', password: 'correct horse' },
      },
      { path: '/api/account/logout' },
    ]);
    const tokenOf = (path: string) => {
      const asked = vi.mocked(fetch).mock.calls.find(([url]) => String(url).endsWith(path));
      return new Headers(asked?.[1]?.headers).get('Authorization');
    };
    expect(tokenOf('/view')).toBe('token');
    expect(tokenOf('/logout')).toBe('view-token');
    expect(sessionStorage.getItem('view:token')).toBe('wider-token');
  },
);

test('the view that only reads ends when the other has begun, and stays if that fails', async () => {
  const until = '2026-03-01T10:15:00.000Z';
  const { go } = await openView();
  vi.stubGlobal('fetch', vi.fn(fetch));
  await press('Allow changes');
  await type('Your password', 'wrong');
  await submit('Allow changes');
  await waitFor(() => expect(shown()).toContain('no reply'));
  expect(sent('POST').map(({ path }) => path)).toEqual([`/api/admin/accounts/${profile()._id}/view`]);
  expect(sessionStorage.getItem('view:token')).toBe('view-token');

  setServer({
    ...FULL,
    'POST /admin/accounts/:accountId/view': {
      token: 'wider-token',
      email: 'someone@example.com',
      mayChange: true,
      until,
    },
  });
  const answered = fetch;
  let atLogout: string | null = null;
  vi.stubGlobal(
    'fetch',
    vi.fn(async (...given: Parameters<typeof fetch>) => {
      if (!String(given[0]).endsWith('/logout')) return answered(...given);
      atLogout = sessionStorage.getItem('view:token');
      return new Response('{}', { status: 401 });
    }),
  );
  await submit('Allow changes');
  await waitFor(() => expect(go).toHaveBeenCalled());
  expect(atLogout).toBe('wider-token');
  expect(go.mock.calls).toEqual([['/dashboard/profile']]);
});

const given = {
  _id: '5' as Sender['_id'],
  accountId: customer()._id,
  channel: 'sms' as const,
  kind: 'number' as const,
  sender: '+85260000001',
  verified: true,
  given: true,
  createdAt: '2026-03-04T05:06:07.000Z',
};
const SENDERS: Replies = {
  'GET /admin/senders': {
    senders: [
      given,
      {
        ...given,
        _id: '6' as Sender['_id'],
        channel: 'email',
        kind: 'domain',
        sender: 'ann.hk',
        verified: false,
        given: false,
      },
    ],
    more: false,
  },
  'POST /admin/senders': { sender: given },
  'DELETE /admin/senders/:senderId': { status: 'ok' },
};

test.each(LANGUAGES)(
  'an account shows its senders; more are given to it, and taken away (%s)',
  async (language) => {
    const t = (text: string) => textIn(language, text);
    await openAccount('support', SENDERS, language);
    await waitFor(() => expect(shown()).toContain('+85260000001'));
    for (const text of ['Given by the operator', 'Not verified']) expect(shown()).toContain(t(text));
    await press(t('Give a sender'));
    await submit(t('Give a sender'));
    await waitFor(() => expect(shown()).toContain(t('Enter a sender.')));
    await type(t('Sender'), ' ACME ');
    await submit(t('Give a sender'));
    await waitFor(() =>
      expect(sent('POST')).toMatchObject([
        { path: '/api/admin/senders', body: { accountId: customer()._id, channel: 'sms', sender: 'ACME' } },
      ]),
    );
    await waitFor(() => expect(shown()).toContain(t('The sender was given.')));
    const remove = document.querySelector(`button[aria-label="${t('Remove')} ann.hk"]`);
    fireEvent.click(remove as Element);
    expect(sent('DELETE')).toEqual([]);
    await press(t('Remove'));
    setServer({ ...FULL, ...SENDERS, 'GET /admin/senders': { senders: [given], more: false } });
    await waitFor(() => expect(sent('DELETE')).toMatchObject([{ path: '/api/admin/senders/6' }]));
    // The button that asked is gone with its line.
    await waitFor(() => expect(document.querySelector('[aria-modal="true"]')).toBeNull());
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H3'));
  },
);

test('in one’s own panel no sender is offered, which the server would refuse', async () => {
  const own = customer({ _id: profile()._id });
  await openAccount('owner', { ...SENDERS, 'GET /admin/accounts': { accounts: [own], more: false } });
  await waitFor(() => expect(shown()).toContain('+85260000001'));
  expect(shown()).not.toContain('Give a sender');
});

test('finance, who may not see senders, is not asked for them', async () => {
  await openAccount('finance', SENDERS);
  await button('Adjust balance');
  expect(shown()).not.toContain('Give a sender');
  expect(sent('GET').filter(({ path }) => path.includes('senders'))).toEqual([]);
});

test('an invitation that was not used can be taken back', async () => {
  const invitation = {
    invitationId: '018f0000-0000-7000-8000-000000000061' as never,
    email: 'new@example.com',
    createdAt: '2026-03-04T05:06:07.000Z',
    expiresAt: '2026-03-18T05:06:07.000Z',
    usedAt: null,
  };
  const used = {
    ...invitation,
    invitationId: '018f0000-0000-7000-8000-000000000062' as never,
    usedAt: invitation.createdAt,
  };
  await openPage('/dashboard/accounts', {
    server: {
      ...FULL,
      'GET /admin/invitations': { invitations: [invitation, { ...used, email: 'in@example.com' }] },
      'DELETE /admin/invitations/:invitationId': { message: 'taken back' },
    },
    layout: as('support'),
  });
  vi.stubGlobal('fetch', vi.fn(fetch));
  await waitFor(() => expect(shown()).toContain('in@example.com'));
  expect(
    [...document.querySelectorAll('button')].filter(({ textContent }) => textContent === 'Take back'),
  ).toHaveLength(1);
  await press('Take back');
  await waitFor(() =>
    expect(sent('DELETE')).toMatchObject([{ path: `/api/admin/invitations/${invitation.invitationId}` }]),
  );
});
