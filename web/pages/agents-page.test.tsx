import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Reply } from '../../contract/calls.ts';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { openPage, STARTUP, textIn } from '../testing/open-page.tsx';
import { FULL, profile, type Replies } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));

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

test('the overview’s link shows the agents with a SIM that moved, and marks it; all others are a click away', async () => {
  const reply = FULL['GET /admin/agents'] as Reply<'GET /admin/agents'>;
  const [first] = reply.agents;
  if (!first?.modems[0]) throw new Error('no modem');
  const moved = { phoneName: 'hk-01', agentName: 'pi-1', since: '2026-03-04T05:06:07.000Z' };
  const second = {
    ...first,
    _id: '018f0000-0000-7000-8000-0000000000a9' as typeof first._id,
    name: 'pi-9',
    modems: [{ ...first.modems[0], phoneName: '', moved }],
  };
  const server = { ...FULL, 'GET /admin/agents': { agents: [first, second] } };
  await openPage(`${PATH}?sim=moved`, { server, layout });
  await screen.findByText('pi-9');
  await screen.findByText('hk-01: has its SIM moved here?');
  expect(screen.queryByText('pi-1')).toBeNull();
  fireEvent.click(await screen.findByText('Show all'));
  await screen.findByText('pi-1');
});
