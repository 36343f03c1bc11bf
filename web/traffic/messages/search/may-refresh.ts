export const REFRESH_MS = 30_000;
/** The share of refreshes that a hidden page makes. */
const HIDDEN_SHARE = 0.1;

interface Moment {
  /** Rows are selected, or were a moment ago. */
  held: boolean;
  hidden: boolean;
  /** From 0 to below 1. */
  random: number;
}

export const mayRefresh = ({ held, hidden, random }: Moment): boolean =>
  !held && (!hidden || random < HIDDEN_SHARE);
