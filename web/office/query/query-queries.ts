import { queryOptions } from '@tanstack/react-query';
import type { QueryTable } from '../../../contract/office/query.ts';
import { type Answer, call } from '../../ground/api/call.ts';

export type Bookmarks = Answer<'GET /qf/bookmarks'>['bookmarks'];

/** Where a statement is run. */
export interface QueryTarget {
  zone_id: number;
  database: string;
}

/** A little longer than the service's own limit: a query may be run once more, and its end has to be seen. */
export const QUERY_CALL_MS = 65_000;

export const zonesQuery = queryOptions({
  queryKey: ['qf', 'zones'],
  queryFn: async () => (await call('GET /qf/zones')).zones,
  staleTime: Number.POSITIVE_INFINITY,
});

/** An answer that says that it failed becomes an error with its message. */
const dataOf = <T>(
  answer: { success: true; data: T } | { success: false; data: unknown; msg: string },
): T => {
  if (!answer.success) throw new Error(answer.msg);
  return answer.data;
};

export const databasesQuery = (zoneId: number | undefined) =>
  queryOptions({
    queryKey: ['qf', 'databases', zoneId],
    queryFn: async (): Promise<string[]> =>
      dataOf(await call('POST /qf/sql_database', { body: { zone_id: zoneId ?? 0 } })),
    enabled: zoneId !== undefined,
    staleTime: 60_000,
    retry: false,
  });

export const tablesQuery = ({ zone_id, database }: QueryTarget) =>
  queryOptions({
    queryKey: ['qf', 'tables', zone_id, database],
    queryFn: async (): Promise<QueryTable[]> =>
      dataOf(await call('POST /qf/sql_tables', { body: { zone_id, database } })),
    enabled: zone_id > 0 && database !== '',
    staleTime: 60_000,
    retry: false,
  });

export const historyQuery = queryOptions({
  queryKey: ['qf', 'history'],
  queryFn: async () => (await call('GET /qf/history')).queries,
});

const FOLLOW_MS = 2_000;

/** Followed while something stands in the way. */
export const standingQuery = queryOptions({
  queryKey: ['qf', 'standing'],
  queryFn: () => call('GET /qf/standing'),
  refetchInterval: ({ state: { data } }) =>
    data && (data.lingering.length > 0 || data.withheldUntil !== null) ? FOLLOW_MS : false,
});

export const withheldQuery = queryOptions({
  queryKey: ['qf', 'withheld'],
  queryFn: async () => (await call('GET /qf/withheld')).turns,
});

export const bookmarksQuery = queryOptions({
  queryKey: ['qf', 'bookmarks'],
  queryFn: async () => (await call('GET /qf/bookmarks')).bookmarks,
});
