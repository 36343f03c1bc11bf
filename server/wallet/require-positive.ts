/** The verbs say the direction; a negative amount would turn it round. */
export const requirePositive = (amountMicros: bigint): void => {
  if (amountMicros <= 0n) throw new Error(`${amountMicros} is not a positive amount`);
};
