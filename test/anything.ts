/** Stands for dependencies that are only passed on: it is anything, has anything, and lists nothing. */
export const anything: never = new Proxy(() => anything, {
  get: (_, key) => {
    if (key === Symbol.toPrimitive) return () => 1;
    if (key === Symbol.iterator) return () => [].values();
    return anything;
  },
}) as never;
