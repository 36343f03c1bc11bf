/** Looks at a modem again and again, and does in turn with that what comes in between. */
export const openPolling = (look: () => Promise<void>, pauseMs: () => number) => {
  let timer: NodeJS.Timeout | undefined;
  let closing = false;
  let working: Promise<void> = Promise.resolve();
  const lookAgain = (): void => {
    if (!closing) timer = setTimeout(() => begin(), pauseMs());
  };
  const begin = (first = look): Promise<void> => {
    working = working.then(first).then(lookAgain);
    return working;
  };
  return {
    /** Resolves once it has looked for the first time. */
    begin,
    /** What fails is left to the next look. */
    inTurn: (work: () => Promise<void>): void => {
      working = working.then(work).catch(() => {});
    },
    end: (): void => {
      closing = true;
      clearTimeout(timer);
    },
    /** Resolves once nothing is done, though it failed. */
    idle: (): Promise<void> => working.catch(() => {}),
  };
};
