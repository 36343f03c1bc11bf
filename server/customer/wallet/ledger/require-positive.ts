/** The verbs give the direction; a negative amount would reverse it. */
export const requirePositive = (amountMicros: bigint): void => {
  if (amountMicros <= 0n) throw new Error(`${amountMicros} is not a positive amount`);
};
