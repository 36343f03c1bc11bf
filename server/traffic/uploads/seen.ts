import { hash, randomBytes } from 'node:crypto';

/** Of each of up to 256 shards. */
const FIRST_SLOTS = 64;

/** A set of pairs of 32-bit numbers, of which the second is never 0. */
const openShard = (onStep: () => void) => {
  let slots = new Uint32Array(FIRST_SLOTS * 2);
  let used = 0;

  /** Returns false if it is there. */
  const put = (into: Uint32Array, a: number, b: number): boolean => {
    const mask = into.length / 2 - 1;
    for (let slot = a & mask; ; slot = (slot + 1) & mask) {
      onStep();
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

  return (a: number, b: number): boolean => {
    if (used * 4 >= slots.length) grow();
    const isNew = put(slots, a, b);
    if (isNew) used += 1;
    return isNew;
  };
};

/** 32 bits of a text whose characters are bytes. */
const word = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)) >>>
  0;

/**
 * Tells whether a text was seen before, in 16 to 32 bytes for each: a set of strings would take some hundred. Texts are
 * compared by their hash. Its key is made for each file, so that nobody can choose texts that meet in one place, and
 * each shard grows by itself, so that no row waits until a whole table has grown.
 */
export const openSeen = () => {
  const key = randomBytes(16).toString('hex');
  const shards: ReturnType<typeof openShard>[] = [];
  let steps = 0;
  const onStep = (): void => {
    steps += 1;
  };
  return {
    isSeen: (text: string): boolean => {
      // A string: to make a buffer takes longer than to hash most messages.
      const digest = hash('sha256', key + text, 'binary');
      const shard = digest.charCodeAt(8);
      shards[shard] ??= openShard(onStep);
      return !shards[shard](word(digest, 0), word(digest, 4) || 1);
    },
    /** How many slots were looked at so far: what a hostile file would raise. */
    steps: (): number => steps,
  };
};
