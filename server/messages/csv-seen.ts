import { hash } from 'node:crypto';

const FIRST_SLOTS = 1 << 14;

/**
 * Tells whether a text was seen before, in 16 to 32 bytes for each: a set of strings would take some hundred.
 * Texts are told apart by 64 bits of their hash; with a million of them, one file in thirty million has two that
 * are taken for the same.
 */
export const openSeen = () => {
  let slots = new BigUint64Array(FIRST_SLOTS);
  let used = 0;

  /** Answers false if it is there. 0 stands for an empty slot. */
  const put = (into: BigUint64Array, value: bigint): boolean => {
    const mask = into.length - 1;
    for (let at = Number(value & 0xffffffffn) & mask; ; at = (at + 1) & mask) {
      if (into[at] === value) return false;
      if (into[at] === 0n) {
        into[at] = value;
        return true;
      }
    }
  };
  const grow = (): void => {
    const larger = new BigUint64Array(slots.length * 2);
    for (const value of slots) if (value !== 0n) put(larger, value);
    slots = larger;
  };

  return (text: string): boolean => {
    if (used * 2 >= slots.length) grow();
    const isNew = put(slots, hash('sha1', text, 'buffer').readBigUInt64LE() || 1n);
    if (isNew) used += 1;
    return !isNew;
  };
};
