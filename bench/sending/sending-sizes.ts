/** How much of each is measured. */
export interface Sizes {
  rounds: number;
  settleMs: number;
  /** Of a file; of one whose account has a webhook. */
  rows: number;
  subscribedRows: number;
  /** Single messages: of many callers, of a few, of one, with a webhook. */
  singles: number;
  few: number;
  one: number;
  subscribed: number;
  accounts: number;
  timed: number;
  million: number;
  counterRounds: number;
  /** Of a file that is interrupted by this many kills. */
  crashRows: number;
  kills: number;
}

export const FULL: Sizes = {
  rounds: 3,
  settleMs: 1_000,
  rows: 100_000,
  subscribedRows: 20_000,
  singles: 12_000,
  few: 4_000,
  one: 1_000,
  subscribed: 6_000,
  accounts: 64,
  timed: 200,
  million: 1_000_000,
  // Their cost is less than the difference between rounds.
  counterRounds: 5,
  crashRows: 40_000,
  kills: 3,
};

/** Only shows that all of it runs. */
export const QUICK: Sizes = {
  rounds: 1,
  settleMs: 0,
  rows: 300,
  subscribedRows: 100,
  singles: 200,
  few: 40,
  one: 10,
  subscribed: 100,
  accounts: 4,
  timed: 5,
  million: 2_000,
  counterRounds: 1,
  crashRows: 5_000,
  kills: 1,
};
