import { useSyncExternalStore } from 'react';
import type { AccountId } from '../../contract/accounts.ts';

type SessionKey = 'token' | 'accountId' | 'email';

/** `elsewhere` is true for a change in another tab. */
type Listener = (change: { elsewhere: boolean }) => void;

const listeners = new Set<Listener>();
/** How the last session ended, for the sign-in page: `unconfirmed` if the server could not be reached to end it. */
export type SessionEnd = 'left' | 'expired' | 'unconfirmed' | 'closed';
let lastEnd: SessionEnd = 'left';
const read = (key: SessionKey) => localStorage.getItem(key);
const announce = () => {
  for (const listener of listeners) listener({ elsewhere: false });
};

export const storedToken = () => read('token');
export const storedAccountId = () => read('accountId') as AccountId | null;
const storedEmail = () => read('email');

/** Another tab may sign out or in as someone else: those changes arrive here as well. */
export const onSessionChange = (listener: Listener) => {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === 'token' || event.key === null) listener({ elsewhere: true });
  };
  listeners.add(listener);
  window.addEventListener('storage', fromOtherTab);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', fromOtherTab);
  };
};

export const useToken = () => useSyncExternalStore(onSessionChange, storedToken);
export const useStoredEmail = () => useSyncExternalStore(onSessionChange, storedEmail);

export const startSession = (session: { token: string; accountId: AccountId; email?: string }) => {
  lastEnd = 'left';
  localStorage.setItem('token', session.token);
  localStorage.setItem('accountId', session.accountId);
  // A reset or activation link does not name its account; the profile brings the email soon after.
  if (session.email === undefined) localStorage.removeItem('email');
  else localStorage.setItem('email', session.email);
  announce();
};

export const rememberEmail = (email: string) => {
  if (read('email') === email) return;
  localStorage.setItem('email', email);
  announce();
};

const clear = () => {
  for (const key of ['token', 'accountId', 'email'] satisfies SessionKey[]) localStorage.removeItem(key);
  announce();
};

export const endSession = (end: SessionEnd) => {
  lastEnd = end;
  clear();
};

export const lastSessionEnd = () => lastEnd;
