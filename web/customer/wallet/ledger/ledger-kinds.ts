import type { EntryKind, LedgerFilter } from '../../../../contract/customer/wallet.ts';
import { isDay } from '../../../ground/i18n/moment-text.ts';

/** In the order of the select. Written out here, because importing the contract's table would load Zod. */
const KINDS: Record<EntryKind, true> = {
  TOP_UP: true,
  CAPTURE: true,
  REFUND: true,
  RECAPTURE: true,
  ADJUSTMENT: true,
  REVERSAL: true,
};
export const LEDGER_KINDS = Object.keys(KINDS) as EntryKind[];

/** Reads the filter from the page's address. What is invalid is undefined: the router would hand on what is left out. */
export const readLedgerFilter = ({ dateFrom, dateTo, kind }: Record<string, unknown>): LedgerFilter => ({
  dateFrom: isDay(dateFrom) ? dateFrom : undefined,
  dateTo: isDay(dateTo) ? dateTo : undefined,
  kind: LEDGER_KINDS.find((known) => known === kind),
});
