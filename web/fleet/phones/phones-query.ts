import { queryOptions } from '@tanstack/react-query';
import type { Phone, PhoneId } from '../../../contract/fleet/phones.ts';
import { call } from '../../ground/api/call.ts';

export type { Phone };

/** Those that were given back too: the table shows them as inactive. */
export const phonesQuery = queryOptions({
  queryKey: ['phones'],
  queryFn: () => call('GET /phoneNumberInventory', { query: { all: 'true' } }),
});

export const balancesQuery = (phoneId: PhoneId) =>
  queryOptions({
    queryKey: ['phone-balances', phoneId],
    queryFn: () => call('GET /phoneNumberInventory/:phoneId/balances', { params: { phoneId } }),
  });
