interface Priced {
  priceMicros: bigint;
}

export const sumOf = (messages: Priced[]): bigint =>
  messages.reduce((total, { priceMicros }) => total + priceMicros, 0n);

/** In order, each that the remaining balance still covers; and the others. */
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
