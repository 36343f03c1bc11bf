interface GroupCommitOptions<I, O> {
  /** Commits them together and answers each, in their order. */
  flush: (items: I[]) => Promise<O[]>;
  /** Of one flush. */
  most: number;
  sizeOf: (item: I) => number;
  /** Sizes of one flush in all; a single item may be larger. */
  mostSize: number;
  /** How long those who were just answered are waited for. */
  holdMs?: number;
}

interface Waiting<I, O> {
  item: I;
  resolve: (answer: O) => void;
  reject: (error: unknown) => void;
}

/** So few callers gain nothing by taking turns. */
const FEW = 8;
/** A half, but for a few that are late. */
const ENOUGH = 0.4;
/** Whoever asks again as soon as he is answered has done so by then. */
const HOLD_MS = 3;

/**
 * One commit for many callers: one flush is in flight, and what arrives meanwhile forms the next. So the first of a
 * quiet moment goes at once, and under load the groups grow by themselves. Left alone they grow uneven: all but one
 * are in a flush, the one is the next, and a flush of one costs nearly as much as one of all. Many callers are halved
 * therefore: while one half is with the database, the other is answered and asks again. That half is waited for, for
 * the moment that it takes; and the next flush is on its way before anybody is answered.
 */
export const openGroupCommit = <I, O>({
  flush,
  most,
  sizeOf,
  mostSize,
  holdMs = HOLD_MS,
}: GroupCommitOptions<I, O>) => {
  const waiting: Waiting<I, O>[] = [];
  let flushing = false;
  /** How many there were around the last flush, and when it ended. */
  let callers = 0;
  let endedAt = 0;
  let holding: NodeJS.Timeout | undefined;

  const takeGroup = (): Waiting<I, O>[] => {
    const fair = callers > FEW ? Math.min(most, Math.ceil(callers / 2)) : most;
    let size = 0;
    const end = waiting.findIndex(({ item }, at) => {
      size += sizeOf(item);
      return at === fair || (at > 0 && size > mostSize);
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  };

  const run = async () => {
    clearTimeout(holding);
    holding = undefined;
    flushing = true;
    const group = takeGroup();
    let answer: () => void;
    try {
      const answers = await flush(group.map(({ item }) => item));
      const answered = group.map(({ resolve }, at) => ({ resolve, with: answers[at] as O }));
      answer = () => {
        for (const one of answered) one.resolve(one.with);
      };
    } catch (error) {
      answer = () => {
        for (const { reject } of group) reject(error);
      };
    }
    flushing = false;
    callers = group.length + waiting.length;
    endedAt = performance.now();
    next();
    setImmediate(answer);
  };

  const next = (): void => {
    if (flushing || waiting.length === 0) return;
    const leftMs = endedAt + holdMs - performance.now();
    if (callers <= FEW || waiting.length >= callers * ENOUGH || leftMs <= 0) void run();
    else holding ??= setTimeout(run, leftMs);
  };

  return (item: I): Promise<O> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      next();
    });
};
