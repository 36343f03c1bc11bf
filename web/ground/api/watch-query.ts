import { queryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { refreshBalance } from './refresh-balance.ts';
import { type Watched, watch } from './watch.ts';

export const FOREVER = Number.POSITIVE_INFINITY;
/** The wait after a call that failed. */
const RETRY_MS = 5_000;

interface WatchOptions<T> {
  queryKey: [string, string];
  read: () => Promise<T>;
  /** How many unchanged answers end the polling; FOREVER while the value is not final. */
  pollForMs: (value: T) => number;
}

/** Polls until the value no longer changes. What failed is refunded, so the balance is read again too. */
export const watchQuery = <T>({ queryKey, read, pollForMs }: WatchOptions<T>) =>
  queryOptions<Watched<T>>({
    queryKey,
    queryFn: async () => {
      const begun = performance.now();
      const value = await read();
      const before = queryClient.getQueryData<Watched<T>>(queryKey);
      const looks = pollForMs(value);
      const watched = watch(before, value, { looks, tookMs: performance.now() - begun });
      if (looks !== FOREVER && watched.quiet === 0) refreshBalance();
      return watched;
    },
    staleTime: ({ state }) => (state.data?.waitMs === false ? FOREVER : 0),
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return false;
      return state.error ? RETRY_MS : state.data.waitMs;
    },
  });
