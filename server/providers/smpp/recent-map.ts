/** A map that forgets what was put in long ago. */
interface RecentMap<Value> {
  get: (key: string) => Value | undefined;
  set: (key: string, value: Value) => void;
}

/**
 * Remembers the last `count` at least, and twice as many at most. Two maps take turns, because deleting the oldest
 * key of one map, over and over, gets slower with its size.
 */
export const openRecentMap = <Value>(count: number): RecentMap<Value> => {
  let newer = new Map<string, Value>();
  let older = new Map<string, Value>();
  return {
    get: (key) => newer.get(key) ?? older.get(key),
    set: (key, value) => {
      if (newer.size >= count) {
        older = newer;
        newer = new Map();
      }
      newer.set(key, value);
    },
  };
};
