import type { SendOutcome } from '../../traffic/lanes/index.ts';

interface Asked {
  resolve: (outcome: SendOutcome) => void;
  timer: NodeJS.Timeout;
}

/** What was handed to the process of a device and is not answered yet. Once handed over, no answer means unknown. */
export const openProcessCalls = () => {
  const asked = new Map<number, Asked>();
  const over = new Set<() => void>();
  let last = 0;

  const answer = (call: number, outcome: SendOutcome): void => {
    const known = asked.get(call);
    if (!known) return;
    clearTimeout(known.timer);
    asked.delete(call);
    known.resolve(outcome);
    if (asked.size === 0) for (const resolve of over) resolve();
  };
  const giveUp = (reason: string): void => {
    for (const call of [...asked.keys()]) answer(call, { outcome: 'unknown', reason });
  };
  return {
    ask: (timeoutMs: number, post: (call: number) => void): Promise<SendOutcome> => {
      last += 1;
      const call = last;
      return new Promise((resolve) => {
        const late = () => answer(call, { outcome: 'unknown', reason: 'WhatsApp Web did not answer.' });
        asked.set(call, { resolve, timer: setTimeout(late, timeoutMs) });
        post(call);
      });
    },
    answer,
    giveUp,
    /** Resolves when all are answered, or after the time. */
    settled: async (timeoutMs: number): Promise<void> => {
      if (asked.size === 0) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        over.add(resolve);
        timer = setTimeout(resolve, timeoutMs);
      });
      clearTimeout(timer);
      over.clear();
    },
  };
};
