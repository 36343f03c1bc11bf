import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { setTexts } from '../../../ground/i18n/translate.ts';
import { defaultLog } from '../log/log-filters.ts';
import { logQuery } from '../log/log-query.ts';
import { listQuery } from './list-query.ts';
import { defaultFilters } from './message-filters.ts';

const own = '00000000-0000-0000-0000-000000000001' as AccountId;
const now = new Date('2026-03-01T10:00:00Z');

test.each([
  ['list', listQuery(own, defaultFilters(now))],
  ['log', logQuery(own, defaultLog(now))],
])('a search of the %s that nobody waits for any more is given up', async (_, query) => {
  setTexts({ 'api.network': 'No network.' });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    signal = init.signal;
    return new Promise((_resolve, reject) => init.signal?.addEventListener('abort', reject));
  });
  const client = new QueryClient();
  const asked = client.fetchQuery({ ...query, retry: false } as Parameters<QueryClient['fetchQuery']>[0]);
  const outcome = asked.catch(() => 'given up');
  await vi.waitFor(() => expect(signal).toBeDefined());
  expect(signal?.aborted).toBe(false);
  await client.cancelQueries();
  expect(signal?.aborted).toBe(true);
  expect(await outcome).toBe('given up');
});
