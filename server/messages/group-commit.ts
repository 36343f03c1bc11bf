interface GroupCommitOptions<I, O> {
  /** Commits them together and answers each, in their order. */
  flush: (items: I[]) => Promise<O[]>;
  /** Of one flush. */
  most: number;
  sizeOf: (item: I) => number;
  /** Sizes of one flush in all; a single item may be larger. */
  mostSize: number;
}

interface Waiting<I, O> {
  item: I;
  resolve: (answer: O) => void;
  reject: (error: unknown) => void;
}

/**
 * One commit for many callers, without waiting for any: one flush is in flight, and what arrives meanwhile forms
 * the next. So the first of a quiet moment goes at once, and under load the groups grow by themselves.
 */
export const openGroupCommit = <I, O>({ flush, most, sizeOf, mostSize }: GroupCommitOptions<I, O>) => {
  const waiting: Waiting<I, O>[] = [];
  let flushing = false;

  const takeGroup = (): Waiting<I, O>[] => {
    let size = 0;
    const end = waiting.findIndex(({ item }, at) => {
      size += sizeOf(item);
      return at === most || (at > 0 && size > mostSize);
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  };

  const run = async () => {
    flushing = true;
    while (waiting.length > 0) {
      const group = takeGroup();
      try {
        const answers = await flush(group.map(({ item }) => item));
        for (const [at, { resolve }] of group.entries()) resolve(answers[at] as O);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    flushing = false;
  };

  return (item: I): Promise<O> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!flushing) void run();
    });
};
