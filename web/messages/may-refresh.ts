export const REFRESH_MS = 30_000;
/** After the last row was unselected: time to look at what came of it. */
const SETTLE_MS = 30_000;
/** A hidden page is refreshed this often of ten times. */
const HIDDEN_SHARE = 0.1;

interface Moment {
  now: number;
  selectedCount: number;
  /** When the last selected row was unselected, if any ever was. */
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
