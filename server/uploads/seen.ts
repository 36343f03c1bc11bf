const FIRST_SLOTS = 1 << 14;

/** Two halves of a 64-bit hash (cyrb53, with both halves kept): fast, with few collisions. */
const hash = (text: string, into: Uint32Array): void => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  into[0] = a;
  // 0 stands for an empty slot.
  into[1] = b || 1;
};

/**
 * Tells whether a text was seen before, in 16 to 32 bytes for each: a set of strings would take some hundred. Texts are
 * compared by 64 bits of their hash; with a million of them, one file in thirty million has two that collide. Somebody
 * who makes such a file on purpose has one of their own rows refused.
 */
export const openSeen = () => {
  let slots = new Uint32Array(FIRST_SLOTS * 2);
  let used = 0;
  const halves = new Uint32Array(2);

  /** Returns false if it is there. */
  const put = (into: Uint32Array, a: number, b: number): boolean => {
    const mask = into.length / 2 - 1;
    for (let slot = a & mask; ; slot = (slot + 1) & mask) {
      const at = slot * 2;
      if (into[at + 1] === 0) {
        into[at] = a;
        into[at + 1] = b;
        return true;
      }
      if (into[at] === a && into[at + 1] === b) return false;
    }
  };
  const grow = (): void => {
    const larger = new Uint32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at += 2)
      if (slots[at + 1] !== 0) put(larger, slots[at] as number, slots[at + 1] as number);
    slots = larger;
  };

  return (text: string): boolean => {
    if (used * 4 >= slots.length) grow();
    hash(text, halves);
    const isNew = put(slots, halves[0] as number, halves[1] as number);
    if (isNew) used += 1;
    return !isNew;
  };
};
