import type { PaymentFilter } from '../../contract/payments.ts';

const NAMES = ['email', 'last4', 'amount', 'ref', 'dateFrom', 'dateTo', 'status', 'type'] as const;

/** What of the address is a search: the server judges the values. */
export const readPaymentFilter = (search: Record<string, unknown>): PaymentFilter =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );
