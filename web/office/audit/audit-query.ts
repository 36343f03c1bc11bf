import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AuditFilter } from '../../../contract/office/audit.ts';
import { type Answer, call } from '../../ground/api/call.ts';

export type AuditEntry = Answer<'GET /admin/audit'>['entries'][number];

const A_PAGE = 50;

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin-audit', filter],
    queryFn: ({ pageParam }) =>
      call('GET /admin/audit', { query: { ...filter, before: pageParam, limit: A_PAGE } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ entries, more }) => (more ? entries.at(-1)?._id : undefined),
  });
