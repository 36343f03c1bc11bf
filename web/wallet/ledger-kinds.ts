import type { EntryKind, LedgerFilter } from '../../contract/wallet.ts';

/** In the order of the select. Written out here, because importing the contract's table would load Zod. */
const KINDS: Record<EntryKind, true> = {
  TOP_UP: true,
  CAPTURE: true,
  REFUND: true,
  ADJUSTMENT: true,
  REVERSAL: true,
};
export const LEDGER_KINDS = Object.keys(KINDS) as EntryKind[];

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

/** Reads the filter from the page's address; invalid values are ignored. */
export const readLedgerFilter = ({ dateFrom, dateTo, kind }: Record<string, unknown>): LedgerFilter => ({
  ...(isDay(dateFrom) && { dateFrom }),
  ...(isDay(dateTo) && { dateTo }),
  ...(LEDGER_KINDS.includes(kind as EntryKind) && { kind: kind as EntryKind }),
});
