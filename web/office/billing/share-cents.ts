import { MICROS_PER_CENT, microsFromNumber } from '../../../contract/ground/money.ts';

const CENT = MICROS_PER_CENT;
const microsOf = (amount: number): bigint => microsFromNumber(amount) ?? 0n;
const floorCents = (micros: bigint): bigint => (micros - (((micros % CENT) + CENT) % CENT)) / CENT;

/** The nearest cent, half a cent away from zero, as a formatter of two decimals has it. */
export const centsOf = (amount: number): number => {
  const micros = microsOf(amount);
  const size = micros < 0n ? -micros : micros;
  const cents = Number((size + CENT / 2n) / CENT);
  return micros < 0n && cents > 0 ? -cents : cents;
};

/**
 * The parts in cents that add up to the given sum, each less than a cent from its exact amount: all are rounded down, and
 * the cents that then lack go to those that lost most (largest remainder).
 */
export const shareCents = (sumCents: number, parts: number[]): number[] => {
  const exact = parts.map(microsOf);
  const cents = exact.map((micros) => Number(floorCents(micros)));
  const lacking = sumCents - cents.reduce((sum, one) => sum + one, 0);
  const lost = exact.map((micros, at) => ({ at, micros: micros - floorCents(micros) * CENT }));
  const first = lost.toSorted((a, b) => (a.micros === b.micros ? a.at - b.at : a.micros > b.micros ? -1 : 1));
  for (const { at } of first.slice(0, lacking)) cents[at] = (cents[at] ?? 0) + 1;
  return cents;
};
