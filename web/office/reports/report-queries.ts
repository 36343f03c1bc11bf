import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../ground/api/call.ts';

export type StatusReport = Answer<'GET /report/status'>;
export type AdvanceReport = Answer<'GET /report/advance'>;
export type Figures = AdvanceReport['total']['now'];
export type ReportSlots = Answer<'GET /phoneNumberInventory/slot'>;
export type Arena = Answer<'GET /whatsapp-agent/arena'>;

/** What was shown stays until the next answer, so that nothing flickers. */
const live = { refetchInterval: 5_000, placeholderData: keepPreviousData, staleTime: 0 } as const;

/** Today unless given. */
type Day = string | undefined;

export const statusQuery = (date: Day) =>
  queryOptions({
    queryKey: ['report-status', date],
    queryFn: () => call('GET /report/status', { query: { date } }),
    ...live,
  });

export const advanceQuery = (date: Day) =>
  queryOptions({
    queryKey: ['report-advance', date],
    queryFn: () => call('GET /report/advance', { query: { date } }),
    ...live,
  });

export const slotsQuery = (date: Day) =>
  queryOptions({
    queryKey: ['report-slots', date],
    queryFn: () => call('GET /phoneNumberInventory/slot', { query: { date } }),
    ...live,
  });

export const devicesQuery = queryOptions({
  queryKey: ['report-devices'],
  queryFn: () => call('GET /report/device', { query: { skipNotice: 'true' } }),
  ...live,
});

export const arenaQuery = queryOptions({
  queryKey: ['arena'],
  queryFn: () => call('GET /whatsapp-agent/arena'),
  ...live,
});
