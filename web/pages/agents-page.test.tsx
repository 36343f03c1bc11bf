import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { LANGUAGES } from '../../contract/constants.ts';
import { openPage, STARTUP, textIn } from '../testing/open-page.tsx';
import { FULL, profile, type Replies } from '../testing/replies.ts';

vi.mock('../startup/startup.ts', () => ({ startup: () => STARTUP }));

const PATH = '/dashboard/phone/agents';
const layout: Replies = { 'GET /account/me/profile': profile('owner') };

test.each(LANGUAGES)('a key is made and shown once, with the command to run (%s)', async (language) => {
  await openPage(PATH, { server: FULL, layout, language });
  expect(document.body.textContent).not.toContain('the-key');
  fireEvent.click(await screen.findByText(textIn(language, 'Make a key')));
  await waitFor(() =>
    expect(document.querySelector('section code')?.textContent).toBe(
      'npm run agent -- --server https://posthorn.example --key the-key --modem sim-1=serial:/dev/ttyUSB0',
    ),
  );
});

test('an agent is removed only after a question', async () => {
  await openPage(PATH, { server: FULL, layout });
  vi.stubGlobal('fetch', vi.fn(fetch));
  const deletions = () => vi.mocked(fetch).mock.calls.filter(([, init]) => init?.method === 'DELETE').length;
  fireEvent.click(await screen.findByText('pi-1'));
  fireEvent.click(await screen.findByText('Remove', { selector: 'button *' }));
  await screen.findByText(/needs a new key to join again/);
  expect(deletions()).toBe(0);
  const buttons = screen.getAllByText('Remove', { selector: 'button *' });
  fireEvent.click(buttons.at(-1) as Element);
  await waitFor(() => expect(deletions()).toBe(1));
  await waitFor(() => expect(document.body.textContent).toContain('The agent was removed.'));
});
