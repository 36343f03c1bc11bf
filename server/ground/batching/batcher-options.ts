export interface BatcherOptions<I, O = void> {
  /**
   * Takes items in the order in which they were added. It resolves with an answer for each, in that order, or with
   * nothing. With `retry` or `splitFailed` it must do all or nothing, since it is called again with the same items.
   */
  flush: (items: I[]) => Promise<O[]> | Promise<void>;
  /** The most items of one flush. */
  maxItems: number;
  /** Bounds the sum of sizes in one flush; a single item may be larger. */
  size?: { of: (item: I) => number; max: number };
  /** How long items wait for others before a flush that is not full. Without it they do not wait. */
  maxDelayMs?: number;
  /**
   * For callers who ask again as soon as they are answered: see `openHalves`. The delay then counts from the end of
   * the last flush, and ends when half of the callers are back.
   */
  alternateHalves?: boolean;
  /** Bounds memory: when too many wait, the oldest are dropped, many at once because moving up the rest is costly. */
  overflow?: { maxWaiting: number; dropItems: number; onDrop: (count: number) => void };
  /** Calls a failed flush again and again, as while the database is away. */
  retry?: { isTransient: (error: unknown) => boolean; delayMs: number };
  /**
   * Whether one of the items may be at fault for this error: then each is flushed alone, so that the others do not
   * suffer for it. Not for a database that is away: each would wait for it in turn.
   */
  splitFailed?: (error: unknown) => boolean;
  /** For the log: callers learn by their own answer that a flush failed. */
  onError?: (error: unknown) => void;
}

/** Is called once: with an error if the item could not be flushed, else with its answer if there is one. */
export type Settled<I, O = void> = (item: I, error?: unknown, answer?: O) => void;

export interface Entry<I, O> {
  item: I;
  settled: Settled<I, O> | undefined;
}
