interface Priced {
  priceMicros: bigint;
}

export const totalPrice = (messages: Priced[]): bigint =>
  messages.reduce((total, { priceMicros }) => total + priceMicros, 0n);

/** Splits messages in order into those that the remaining balance covers and the others. */
export const splitByBalance = <M extends Priced>(
  messages: M[],
  balanceMicros: bigint,
): { covered: M[]; refused: M[] } => {
  let left = balanceMicros;
  const covered: M[] = [];
  const refused: M[] = [];
  for (const message of messages)
    if (message.priceMicros > left) refused.push(message);
    else {
      left -= message.priceMicros;
      covered.push(message);
    }
  return { covered, refused };
};
