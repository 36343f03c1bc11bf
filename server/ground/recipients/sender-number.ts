/** Longer ones are whole numbers, with or without their plus sign; the SMPP provider reads senders in the same way. */
export const SHORT_DIGITS = 8;

/** A number that we send from, in its one spelling: +85261110000, or the digits of a short code. */
export const senderNumber = (typed: string): string | undefined => {
  const plain = typed.replace(/[\s().-]/g, '').replace(/^00/, '+');
  const digits = /^\+?(\d{3,20})$/.exec(plain)?.[1];
  if (digits === undefined) return undefined;
  return plain.startsWith('+') || digits.length > SHORT_DIGITS ? `+${digits}` : digits;
};

/** What we send from, as it is compared: a number in its one spelling, a name letter by letter. */
export const senderKey = (typed: string): string => senderNumber(typed) ?? typed.trim();
