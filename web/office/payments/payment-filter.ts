import type { PaymentFilter } from '../../../contract/office/payments.ts';
import { givenTexts } from '../../ground/ui/given-texts.ts';

/** What of the address is a search: the server judges the values. */
export const readPaymentFilter = (search: Record<string, unknown>): PaymentFilter =>
  givenTexts(search, [
    'email',
    'last4',
    'amount',
    'ref',
    'dateFrom',
    'dateTo',
    'status',
    'type',
    'unsettled',
  ]) as PaymentFilter;
