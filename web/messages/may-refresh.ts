export const REFRESH_MS = 30_000;
/** No refresh for this long after the last row was unselected, so that the result can be read. */
const SETTLE_MS = 30_000;
/** The share of refreshes that a hidden page makes. */
const HIDDEN_SHARE = 0.1;

interface Moment {
  now: number;
  selectedCount: number;
  /** When the last selected row was unselected; undefined if none was selected yet. */
  unselectedAt: number | undefined;
  hidden: boolean;
  /** From 0 to below 1. */
  random: number;
}

export const mayRefresh = ({ now, selectedCount, unselectedAt, hidden, random }: Moment): boolean => {
  if (selectedCount > 0) return false;
  if (unselectedAt !== undefined && now - unselectedAt < SETTLE_MS) return false;
  return !hidden || random < HIDDEN_SHARE;
};
