/** Waits for the one answer that a device was logged out. */
export const openLogOut = () => {
  let asked: ((isDone: boolean) => void) | undefined;
  return {
    /** False if no answer came in time. */
    ask: async (timeoutMs: number, post: () => void): Promise<boolean> => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      asked = resolve;
      const late = setTimeout(() => resolve(false), timeoutMs);
      post();
      const isDone = await promise;
      clearTimeout(late);
      return isDone;
    },
    answer: (): void => asked?.(true),
  };
};
