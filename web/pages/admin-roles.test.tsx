import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ADMIN_ROLES, type AdminRole } from '../../contract/customer/admin-roles.ts';
import { LANGUAGES } from '../../contract/ground/constants.ts';
import { openRow } from '../testing/acts.ts';
import { FULL_ADMIN } from '../testing/admin-replies.ts';
import { openPage, STARTUP, textIn } from '../testing/open-page.tsx';
import { FULL, profile, type Replies } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));

const server: Replies = { ...FULL, ...FULL_ADMIN };
const open = (path: string, role: AdminRole, language: 'en_US' | 'zh_HK' = 'en_US') =>
  openPage(path, { server, layout: { 'GET /account/me/profile': profile(role) }, language });
const title = () => document.querySelector('h1')?.textContent;
const shown = () => document.querySelector('main')?.textContent ?? '';
const texts = (selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');
const buttons = () => texts('button');

/** Who opens which page; owners open all. */
const PAGES: { path: string; title: string; roles: AdminRole[] }[] = [
  { path: '/dashboard/overview', title: 'Overview', roles: ['support', 'finance', 'operator', 'analyst'] },
  { path: '/dashboard/report', title: 'Report', roles: ['support', 'finance', 'operator', 'analyst'] },
  { path: '/dashboard/accounts', title: 'Accounts', roles: ['support', 'finance'] },
  { path: '/dashboard/in-doubt', title: 'In doubt', roles: ['support', 'operator'] },
  { path: '/dashboard/unassigned', title: 'Unassigned messages', roles: ['support', 'operator'] },
  { path: '/dashboard/lanes', title: 'Lanes', roles: ['support', 'operator'] },
  { path: '/dashboard/prices', title: 'Prices', roles: ['support', 'finance'] },
  { path: '/dashboard/retention', title: 'Data retention', roles: ['support', 'operator'] },
  { path: '/dashboard/phone', title: 'Phones', roles: ['support', 'operator'] },
  { path: '/dashboard/phone/agents', title: 'Agents', roles: ['support', 'operator'] },
  { path: '/dashboard/admins', title: 'Admins', roles: [] },
  { path: '/dashboard/audit', title: 'Audit log', roles: [] },
  { path: '/qf/query', title: 'QF Query', roles: ['analyst'] },
  { path: '/qf/payment', title: 'Payments of all accounts', roles: ['support', 'finance'] },
];

test.each(PAGES)('$path is opened by its roles, and the others are told plainly', async (page) => {
  const [opener = 'owner'] = page.roles;
  await open(page.path, opener);
  await waitFor(() => expect(title()).toBe(page.title));
  for (const role of ADMIN_ROLES.filter((one) => one !== 'owner' && !page.roles.includes(one))) {
    await open(page.path, role);
    await waitFor(() => expect(title()).toBe('This page is not for your role'));
  }
});

test.each(ADMIN_ROLES)('%s is led from the overview only to its own pages', async (role) => {
  await open('/dashboard/overview', role);
  await waitFor(() => expect(shown()).toContain('Messages in doubt'));
  const own = PAGES.filter(({ roles }) => role === 'owner' || roles.includes(role)).map(({ path }) => path);
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')].filter(
    (link) => !link.closest('footer'),
  );
  const paths = links.map(({ href }) => new URL(href).pathname);
  expect(paths.filter((path) => !own.includes(path))).toEqual([]);
  const operates = ['support', 'operator', 'owner'].includes(role);
  expect(shown().includes('For another role')).toBe(!operates);
});

test.each(LANGUAGES)("another role's page says so, and leads back (%s)", async (language) => {
  await open('/dashboard/lanes', 'finance', language);
  await waitFor(() => expect(title()).toBe(textIn(language, 'This page is not for your role')));
  expect(texts('main a')).toContain(textIn(language, 'To the overview'));
});

test('a customer is told that there is no such page', async () => {
  await openPage('/dashboard/lanes', { server, layout: { 'GET /account/me/profile': profile() } });
  await waitFor(() => expect(title()).toBe('Page Not found'));
});

test('only operators change lanes; support looks at them', async () => {
  const controls = ['Pause', 'Drain', 'Edit', 'Send a test'];
  await open('/dashboard/lanes', 'operator');
  await openRow('smpp-hkt');
  for (const control of controls) await waitFor(() => expect(buttons()).toContain(control));
  await open('/dashboard/lanes', 'support');
  await openRow('smpp-hkt');
  await waitFor(() => expect(document.body.textContent).toContain('connection refused'));
  expect(buttons().filter((text) => controls.includes(text))).toEqual([]);
});

test('only finance changes prices; support looks at them', async () => {
  await open('/dashboard/prices', 'finance');
  await waitFor(() => expect(buttons()).toContain('Import CSV'));
  await open('/dashboard/prices', 'support');
  await waitFor(() => expect(shown()).toContain('Singtel'));
  expect(buttons()).not.toContain('Import CSV');
  expect(buttons()).toContain('Export CSV');
});

test('only operators change phones and agents; support looks at them', async () => {
  const cells = () => document.querySelectorAll('tbody button[aria-label^="Edit Remark"]').length;
  await open('/dashboard/phone', 'operator');
  await waitFor(() => expect(cells()).toBeGreaterThan(0));
  expect(buttons()).toContain('Add phone');
  await open('/dashboard/phone', 'support');
  await waitFor(() => expect(shown()).toContain('hk-1'));
  expect(cells()).toBe(0);
  expect(buttons()).not.toContain('Add phone');
  await open('/dashboard/phone/agents', 'support');
  await openRow('pi-1');
  expect(buttons()).not.toContain('Make a key');
  expect(buttons()).not.toContain('Remove');
});

test('only finance gives money back; support looks at payments', async () => {
  const acts = ['Give back', 'Ask the provider'];
  await open('/qf/payment?email=ann', 'finance');
  await openRow('ann@example.com');
  await waitFor(() => expect(buttons().some((text) => acts.includes(text))).toBe(true));
  await open('/qf/payment?email=ann', 'support');
  await openRow('ann@example.com');
  await screen.findAllByText('HKD 156.00');
  expect(buttons().filter((text) => acts.includes(text))).toEqual([]);
});

test("figures of the report lead only those to messages who see all accounts'", async () => {
  const links = () => document.querySelectorAll('main a[href^="/dashboard/messages"]').length;
  await open('/dashboard/report?date=2026-03-04', 'support');
  await waitFor(() => expect(links()).toBeGreaterThan(0));
  await open('/dashboard/report?date=2026-03-04', 'analyst');
  await waitFor(() => expect(shown()).toContain('4,321'));
  expect(links()).toBe(0);
});
