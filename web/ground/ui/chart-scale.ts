/** The next round number: 1, 2 or 5 followed by zeros. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return digit * power;
};

interface Scale {
  top: number;
  bottom: number;
  /** The position of zero from the bottom, in percent of the height. */
  zero: number;
  /** The height of an amount, in percent of the whole height. */
  height: (value: number) => number;
}

/** The scale for columns stacked upwards from zero, and downwards where refunds exceed charges. */
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
