import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openPage, STARTUP } from '../testing/open-page.tsx';
import { FULL, message, profile } from '../testing/replies.ts';

vi.mock('../traffic/startup/startup.ts', () => ({ startup: () => STARTUP }));

const numbersOf = (text: string): number[] => (text.match(/-?\d+\.\d\d/g) ?? []).map(Number);
const sum = (values: number[]): number => Math.round(values.reduce((all, one) => all + one, 0) * 100) / 100;
const item = (displayName: string, total: number) => ({
  kind: 'usage' as const,
  displayName,
  unitPrice: 0.006,
  unit: 'segment',
  units: 1,
  deviceId: null,
  total,
});

afterEach(() => vi.restoreAllMocks());

test('the channels that a bill shows add up to its total, and the lines to their channel', async () => {
  const sms = { total: 0.012, items: [item('A', 0.004), item('B', 0.004), item('C', 0.004)] };
  const email = { total: 0.006, items: [item('D', 0.006)] };
  const whatsapp = { total: 0.006, items: [item('E', 0.006)] };
  await openPage('/dashboard/billing', {
    server: {
      ...FULL,
      'GET /account/:accountId/billing': {
        date: '2026-03',
        usageInfo: { sms, email, whatsapp },
        billingTotal: 0.024,
      },
    },
  });
  const grand = (await screen.findByRole('region', { name: /^Total for/ })).textContent ?? '';
  const regions = ['SMS', 'Email', 'WhatsApp'].map((name) => screen.getByRole('region', { name }));
  const totals = regions.map((region) => {
    const [total, ...lines] = [...region.querySelectorAll('[title^="USD "]')].map(
      ({ textContent }) => numbersOf(textContent ?? '')[0] ?? Number.NaN,
    );
    expect(sum(lines)).toBe(total);
    return total ?? Number.NaN;
  });
  expect(numbersOf(grand)).toEqual([sum(totals)]);
});

test('what was sent and what failed add up to all messages, and what was delivered is said to be of those sent', async () => {
  await openPage('/dashboard/profile', {
    server: {
      ...FULL,
      'GET /account/:accountId/glance': { messages: 386, sent: 357, delivered: 354, failed: 29, spent: 1 },
    },
  });
  const figure = (name: string) => document.querySelector(`[data-figure="${name}"] dd`)?.textContent;
  await waitFor(() => expect(figure('messages')).toBe('386'));
  expect(figure('sent')).toBe('357354 of these delivered');
  expect(figure('failed')).toBe('29');
});

test.each([
  [{ score: -100_000_000_000_000, sendsNow: false }, 'not now'],
  [{ score: -80_000_000, sendsNow: true }, '-80,000,000'],
  [{ score: null, sendsNow: false }, '–'],
])('the score %j of a phone reads %s', async (verdict, text) => {
  const waiting = message(1, { status: 'PENDING' });
  const phoneScore = {
    phoneName: 'hk-2',
    weight: 1,
    transferJobRate: 1,
    idealVolume: 200,
    startedDays: 9,
    sentCount: 12,
    pendingCount: 3,
    stickyness: 0,
    chosen: false,
    why: 'It has sent all that it may in 10 minutes.',
    ...verdict,
  };
  await openPage('/dashboard/messages', {
    server: {
      ...FULL,
      'GET /account/:accountId/messages': { messages: [waiting], total: 1 },
      'GET /messages/:messageId/timeline': { message: waiting, steps: [], waiting: null, events: [] },
      'GET /job/:jobId/transferPreview': { phoneScores: [phoneScore] },
    },
    layout: { 'GET /account/me/profile': profile('owner') },
  });
  (await screen.findByText('text 1')).click();
  (await screen.findByText('Transfer…')).click();
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
  if (text === 'not now') expect(document.body.textContent).not.toContain('000,000');
});

test.each([
  ['en_US', 'Mar 4'],
  ['zh_HK', '3月4日'],
] as const)('the day of a payment is written as people write it, in %s: %s', async (language, text) => {
  await openPage('/dashboard/payments', { server: FULL, language });
  await waitFor(() => expect(document.querySelector('main time')?.textContent).toBe(text));
});
