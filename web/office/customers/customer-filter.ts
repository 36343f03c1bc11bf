import type { AccountState } from '../../../contract/customer/customer-states.ts';
import { givenTexts } from '../../ground/ui/given-texts.ts';

export interface CustomerFilter {
  keyword?: string;
  state?: AccountState;
  webhook?: 'failing';
}

/** What of the address is a search: the server judges the values. */
export const readCustomerFilter = (search: Record<string, unknown>): CustomerFilter =>
  givenTexts(search, ['keyword', 'state', 'webhook']) as CustomerFilter;
