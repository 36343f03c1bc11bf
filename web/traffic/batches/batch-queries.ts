import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import { ApiError } from '../../ground/api/api-error.ts';
import { type Answer, call } from '../../ground/api/call.ts';

export type BatchRecord = Answer<'GET /account/:accountId/batches'>['batches'][number];
export type BatchMessage = Answer<'GET /account/:accountId/messages'>['messages'][number];

const BATCHES = 25;
const MESSAGES = 50;
/** While messages go out, and receipts of the last ones arrive, the figures change all the time. */
const SOON_MS = 3_000;
const LATER_MS = 30_000;
const RECEIPTS_MS = 5 * 60_000;

export const countOf = ({ counts }: BatchRecord, status: keyof BatchRecord['counts']): number =>
  counts[status] ?? 0;

/** Whether something of it still waits. */
export const isWaiting = (batch: BatchRecord): boolean => countOf(batch, 'PENDING') > 0;

const isScheduled = ({ sendAt }: BatchRecord): boolean => sendAt !== null && Date.parse(sendAt) > Date.now();

const lacksReceipts = (batch: BatchRecord): boolean =>
  countOf(batch, 'SUCCESS') > batch.delivered &&
  Date.now() - Date.parse(batch.sendAt ?? batch.createdAt) < RECEIPTS_MS;

const againMs = (batches: BatchRecord[]): number =>
  batches.some((batch) => (isWaiting(batch) && !isScheduled(batch)) || lacksReceipts(batch))
    ? SOON_MS
    : LATER_MS;

/** The files that were sent, the newest first. */
export const batchesQuery = (accountId: AccountId) =>
  infiniteQueryOptions({
    queryKey: ['batches', accountId],
    queryFn: ({ pageParam, signal }) =>
      call('GET /account/:accountId/batches', {
        params: { accountId },
        query: { limit: BATCHES, skip: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) =>
      pages.length * BATCHES < total ? pages.length * BATCHES : undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => againMs(state.data?.pages.flatMap(({ batches }) => batches) ?? []),
  });

/** One of them, counted as of now; null if there is no such one. */
export const batchQuery = (accountId: AccountId, batchId: BatchId) =>
  queryOptions({
    queryKey: ['batch', batchId, accountId],
    queryFn: async ({ signal }) => {
      const { batches } = await call('GET /account/:accountId/batches', {
        params: { accountId },
        query: { _id: batchId, limit: 1, skip: 0 },
        signal,
      });
      return batches[0] ?? null;
    },
    staleTime: 0,
    refetchInterval: ({ state }) => againMs(state.data ? [state.data] : []),
  });

/** Whether its outcome is still to come, within a time that one waits for. */
const isMoving = ({ status, deliveredAt, createdAt, sendAt }: BatchMessage): boolean =>
  (status === 'PENDING' || (status === 'SUCCESS' && deliveredAt === null)) &&
  Date.now() - Date.parse(sendAt ?? createdAt) < RECEIPTS_MS;

/** What became of its messages. */
export const resultsQuery = (accountId: AccountId, batchId: BatchId) =>
  infiniteQueryOptions({
    queryKey: ['batch', batchId, 'results'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /account/:accountId/messages', {
        params: { accountId },
        query: { batchId, limit: MESSAGES, skip: pageParam, sort: 'createdAt', order: 'asc' },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) =>
      pages.length * MESSAGES < total ? pages.length * MESSAGES : undefined,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ messages }) => messages.some(isMoving)) ? SOON_MS : LATER_MS,
  });

/** A batch that does not exist, or belongs to another account, is not shown as a failure. */
export const isMissingBatch = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);
