import type { Asker } from './ask.ts';

/** Of cancels that came before what they end: two calls of one page may change places on their way. */
const REMEMBERED = 1_000;

/** All that is asked for is on its way from its first moment: wherever it is, a cancel ends it. */
export const openServiceCalls = () => {
  const underWay = new Map<string, Map<AbortController, string | undefined>>();
  /** The names of runs whose cancel was here first. */
  const early = new Set<string>();
  const nameOf = (key: string, runId: string) => `${key} ${runId}`;

  return {
    /** Does it for an asker who, to all that follows, has also hung up when it is cancelled. */
    within: async <T>(
      asker: Asker,
      work: (asker: Asker) => Promise<T>,
      { runId }: { runId?: string | undefined } = {},
    ): Promise<T> => {
      const key = asker.accountId ?? '';
      const controller = new AbortController();
      if (runId !== undefined && early.delete(nameOf(key, runId))) controller.abort();
      const own = underWay.get(key) ?? new Map();
      underWay.set(key, own.set(controller, runId));
      try {
        return await work({ ...asker, hungUp: AbortSignal.any([asker.hungUp, controller.signal]) });
      } finally {
        own.delete(controller);
        if (own.size === 0) underWay.delete(key);
      }
    },

    /** Ends all of the asker's, and this run even if it has not come yet. */
    cancel: (accountId: Asker['accountId'], runId?: string): boolean => {
      const key = accountId ?? '';
      const found = underWay.get(key);
      for (const controller of found?.keys() ?? []) controller.abort();
      const isHere = [...(found?.values() ?? [])].includes(runId);
      if (runId !== undefined && !isHere) early.add(nameOf(key, runId));
      for (const oldest of early) {
        if (early.size <= REMEMBERED) break;
        early.delete(oldest);
      }
      return found !== undefined;
    },

    cancelAll: (): void => {
      for (const all of underWay.values()) for (const controller of all.keys()) controller.abort();
    },
  };
};
