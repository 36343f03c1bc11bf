export interface RunOptions {
  /** A small run of the same code, for the tests. */
  quick: boolean;
  /** Only these; all if none is named. */
  parts: string[];
  /** How much of it, where it has a size: a share of the whole run. */
  size?: number | undefined;
}

/** A figure must not be below `min` or above `max`. */
export interface Bar {
  figure: string;
  min?: number;
  max?: number;
}

export interface Result {
  rows: Record<string, string | number>[];
  figures: Record<string, number>;
  bars: Bar[];
}

/** What a file NAME.bench.ts or NAME.proof.ts exports by default. */
export interface Definition {
  title: string;
  /** What may be run alone. */
  parts?: readonly string[];
  run: (options: RunOptions) => Promise<Result>;
}
