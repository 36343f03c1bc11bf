import { queryOptions } from '@tanstack/react-query';
import { type Answer, call } from '../../ground/api/call.ts';

export type Price = Answer<'GET /admin/prices'>['prices'][number];
export type ImportedPrices = Answer<'POST /admin/prices/import'>;

export const pricesQuery = (past: boolean) =>
  queryOptions({
    queryKey: ['prices', past],
    queryFn: () => call('GET /admin/prices', { query: { past: past ? 'true' : 'false' } }),
    refetchOnMount: 'always',
  });
