/** Repeatable chance: the same seed gives the same values in the same order. */
export interface Random {
  /** From 0 up to, but not including, `end`. */
  int: (end: number) => number;
  chance: (share: number) => boolean;
  pick: <T>(list: readonly T[]) => T;
  uuid: () => string;
}

/** FNV-1a, to make a seed of a name. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** mulberry32: small, fast, and good enough to choose inputs. */
export const openRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (end: number): number => Math.floor(next() * end);
  const hex = (digits: number): string =>
    int(16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return {
    int,
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[int(list.length)] as T;
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`,
  };
};
