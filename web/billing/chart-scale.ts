/** The next round figure: 1, 2 or 5 and zeros. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return digit * power;
};

export interface Scale {
  top: number;
  bottom: number;
  /** How far up, in percent of the whole height, zero stands. */
  zero: number;
  /** How high, in percent of the whole height, so much is. */
  height: (value: number) => number;
}

/** For columns that are stacked up from zero, and down from it where refunds outweigh. */
export const scaleOf = (columns: number[][]): Scale => {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const highest = Math.max(0, ...columns.map((column) => sum(column.filter((value) => value > 0))));
  const lowest = Math.min(0, ...columns.map((column) => sum(column.filter((value) => value < 0))));
  const top = highest > 0 ? roundUp(highest) : lowest < 0 ? 0 : 1;
  const bottom = lowest < 0 ? -roundUp(-lowest) : 0;
  const range = top - bottom;
  return {
    top,
    bottom,
    zero: ((0 - bottom) / range) * 100,
    height: (value) => (Math.abs(value) / range) * 100,
  };
};
