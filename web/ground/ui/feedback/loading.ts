import { useSyncExternalStore } from 'react';

let running = 0;
const listeners = new Set<() => void>();

const change = (by: number) => {
  running += by;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The loading flag: true while any work passed to `whileLoading` is running. */
export const useLoading = () => useSyncExternalStore(subscribe, () => running > 0);

export const whileLoading = async <T>(work: () => Promise<T>): Promise<T> => {
  change(1);
  try {
    return await work();
  } finally {
    change(-1);
  }
};
