import { setImmediate as nextTick } from 'node:timers/promises';

interface PrefetchOptions {
  /**
   * Begins to read the next item only when this one is on its way, for a source that keeps the whole process busy
   * while it reads.
   */
  afterTick?: boolean;
}

/** The same items, each read while the one before it is dealt with. */
export async function* prefetch<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { afterTick = false }: PrefetchOptions = {},
): AsyncGenerator<T> {
  const iterator = (async function* () {
    yield* items;
  })();
  let next = iterator.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = afterTick ? nextTick().then(() => iterator.next()) : iterator.next();
      // A fault is thrown when its item is asked for, if it ever is.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await next.catch(() => {});
    await iterator.return();
  }
}
