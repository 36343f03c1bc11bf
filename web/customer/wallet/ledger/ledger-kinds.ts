import { ENTRY_KINDS } from '../../../../contract/customer/entry-kinds.ts';
import type { LedgerFilter } from '../../../../contract/customer/wallet.ts';
import { isDay } from '../../../ground/i18n/moment-text.ts';

/** Reads the filter from the page's address. What is invalid is undefined: the router would hand on what is left out. */
export const readLedgerFilter = ({ dateFrom, dateTo, kind }: Record<string, unknown>): LedgerFilter => ({
  dateFrom: isDay(dateFrom) ? dateFrom : undefined,
  dateTo: isDay(dateTo) ? dateTo : undefined,
  kind: ENTRY_KINDS.find((known) => known === kind),
});
