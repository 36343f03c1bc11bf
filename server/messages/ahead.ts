/** The same items, each asked for while the one before it is dealt with. */
export async function* ahead<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = (async function* () {
    yield* items;
  })();
  let next = iterator.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // A fault is told when its turn comes, if it does.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await next.catch(() => {});
    await iterator.return();
  }
}
