import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { openPage, STARTUP, textIn } from '../testing/open-page.tsx';
import { BATCH_ID, FULL, message, profile, type Replies } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));
await import('../traffic/messages/list/admin-badges.tsx');

const PATH = '/dashboard/messages';
const NAME = 'shop@example.com';
const layout = (role: 'owner' | 'operator'): Replies => ({ 'GET /account/me/profile': profile(role) });
const moved = message(1, {
  accountEmail: NAME,
  contactName: 'Kwan',
  tags: ['last_sent-2026-03-04'],
  job: { ...message(1).job, phoneName: 'hk-02', deviceId: 'hk-02', originalDeviceId: 'hk-01' },
});
const server: Replies = {
  ...FULL,
  'GET /account/:accountId/messages': { messages: [moved], total: 1 },
  'GET /messages/:messageId/timeline': { message: moved, steps: [], waiting: null, events: [] },
};
const panel = async (language: (typeof LANGUAGES)[number], role: 'owner' | 'operator') => {
  await openPage(PATH, { server, layout: layout(role), language });
  fireEvent.click(await screen.findByText('text 1'));
  return screen.findByRole('dialog');
};

test.each(LANGUAGES)("an admin's list names the account and the contact (%s)", async (language) => {
  await openPage(PATH, { server, layout: layout('owner'), language });
  expect(await screen.findByRole('columnheader', { name: textIn(language, 'Account') })).toBeTruthy();
  expect((await screen.findByText(NAME)).closest('td')).toBeTruthy();
  expect(screen.getByRole('button', { name: /Kwan.*\+852 61112222/ })).toBeTruthy();
});

test('a customer has the name of the contact, and no column of accounts', async () => {
  await openPage(PATH, { server });
  expect(await screen.findByRole('button', { name: /Kwan/ })).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: 'Account' })).toBeNull();
});

test.each(LANGUAGES)(
  'the panel leads to the account and says which phone had it first (%s)',
  async (language) => {
    const dialog = await panel(language, 'owner');
    await waitFor(() =>
      expect(dialog.textContent).toContain(
        textIn(language, 'Moved from {{device}}').replace('{{device}}', 'hk-01'),
      ),
    );
    const link = await screen.findByRole('link', { name: NAME });
    expect(link.getAttribute('href')).toContain(`/dashboard/accounts?keyword=${encodeURIComponent(NAME)}`);
    await waitFor(() => expect(dialog.textContent).toContain('Kwan (+852 61112222)'));
    // The phone is named once, though it is the device too.
    expect(
      [...dialog.querySelectorAll('span')].filter(({ textContent }) => textContent === 'hk-02'),
    ).toHaveLength(1);
  },
);

test('a file’s results name the contact beside the number', async () => {
  await openPage(`/dashboard/messages/batches/${BATCH_ID}`, { server });
  const link = await screen.findByRole('link', { name: '+852 61112222' });
  expect(link.closest('td')?.textContent).toBe('+852 61112222 Kwan');
});

test('who may not open the list of accounts reads the name without a link', async () => {
  const dialog = await panel('en_US', 'operator');
  await waitFor(() => expect(dialog.textContent).toContain(NAME));
  expect(screen.queryByRole('link', { name: NAME })).toBeNull();
});

test.each(LANGUAGES)(
  'a customer chooses an unknown outcome by what it means, in both lists (%s)',
  async (language) => {
    const unknown = textIn(language, 'Unknown outcome');
    for (const path of [PATH, `${PATH}/log`]) {
      await openPage(path, { server, language });
      const fields = screen.queryByRole('button', { name: textIn(language, 'Filters') });
      if (fields) fireEvent.click(fields);
      const option = await screen.findByRole<HTMLOptionElement>('option', { name: unknown, hidden: true });
      expect(option.value).toBe('FAILED_WITH_EXCEPTION');
    }
  },
);

test('a country code that is chosen is a filter of its own, and removing the number removes its code', async () => {
  const chosen = (filters: object) => `${PATH}?filters=${encodeURIComponent(JSON.stringify(filters))}`;
  await openPage(chosen({ countryCode: '+65' }), { server });
  expect((await screen.findByRole('button', { name: /^Country code:/ })).textContent).toContain('+65');
  await openPage(chosen({ countryCode: '+65', phoneNumber: '81234567' }), { server });
  fireEvent.click(await screen.findByRole('button', { name: 'Remove the filter Phone number' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Phone number:/ })).toBeNull());
  expect(screen.queryByRole('button', { name: /^Country code:/ })).toBeNull();
});
