import { useSyncExternalStore } from 'react';
import { DEFAULT_TIME_ZONE } from '../../contract/constants.ts';

let zone: string = DEFAULT_TIME_ZONE;
const listeners = new Set<() => void>();

/** The time zone of the account, from its profile. The pages use it instead of the browser's. */
export const timeZone = (): string => zone;

export const setTimeZone = (next: string): void => {
  if (next === zone) return;
  zone = next;
  for (const listener of listeners) listener();
};

const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useTimeZone = () => useSyncExternalStore(listen, timeZone);
