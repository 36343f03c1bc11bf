import { useSyncExternalStore } from 'react';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';

const STORAGE_KEY = 'timeZone';

// That of the last visit until the profile is here: a page is rendered anew when the zone changes, and what was typed
// into it would be gone.
let zone: string = globalThis.localStorage?.getItem(STORAGE_KEY) ?? DEFAULT_TIME_ZONE;
const listeners = new Set<() => void>();

/** The time zone of the account, from its profile. The pages use it instead of the browser's. */
export const timeZone = (): string => zone;

export const setTimeZone = (next: string): void => {
  if (next === zone) return;
  zone = next;
  globalThis.localStorage?.setItem(STORAGE_KEY, next);
  for (const listener of listeners) listener();
};

const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useTimeZone = () => useSyncExternalStore(listen, timeZone);
