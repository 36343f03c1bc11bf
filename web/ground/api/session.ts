import { useSyncExternalStore } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';

const KEYS = ['token', 'accountId', 'email'] as const;
type SessionKey = (typeof KEYS)[number];

/** `elsewhere` is true for a change in another tab. */
type Listener = (change: { elsewhere: boolean }) => void;

const listeners = new Set<Listener>();
/** How the last session ended, for the sign-in page: `unconfirmed` if the server could not be reached to end it. */
export type SessionEnd = 'left' | 'expired' | 'unconfirmed' | 'closed';
let lastEnd: SessionEnd = 'left';
/** Of an admin who sees a customer's account as its owner does: only in this tab, beside the admin's own session. */
const VIEW = 'view:';
const viewed = (key: SessionKey) => globalThis.sessionStorage?.getItem(VIEW + key) ?? null;
export const isViewing = () => viewed('token') !== null;
const read = (key: SessionKey) => (isViewing() ? viewed(key) : localStorage.getItem(key));
const write = (key: SessionKey, value: string) =>
  isViewing() ? sessionStorage.setItem(VIEW + key, value) : localStorage.setItem(key, value);
const announce = () => {
  for (const listener of listeners) listener({ elsewhere: false });
};

export const storedToken = () => read('token');
export const storedAccountId = () => read('accountId') as AccountId | null;
const storedEmail = () => read('email');
/** Of the admin, also while a customer's account is seen as its owner does. */
export const ownToken = () => localStorage.getItem('token');
/** Why it is seen. */
export const viewReason = () => sessionStorage.getItem(`${VIEW}reason`) ?? '';

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

export const saveSession = (session: { token: string; accountId: AccountId; email?: string }) => {
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
  write('email', email);
  announce();
};

const clear = () => {
  for (const key of KEYS) localStorage.removeItem(key);
  announce();
};

type View = Record<SessionKey | 'reason', string>;

/** This tab's calls are the customer's from here on; its pages are once they are loaded again. */
export const takeView = (view: View) => {
  for (const key of [...KEYS, 'reason'] as const) sessionStorage.setItem(VIEW + key, view[key]);
};

export const startView = (view: View) => {
  takeView(view);
  window.location.assign('/dashboard/profile');
};

/** Back to the admin's own session, which went on meanwhile. */
const endView = () => {
  for (const key of [...KEYS, 'reason']) sessionStorage.removeItem(VIEW + key);
  window.location.assign('/dashboard/accounts');
};

export const endSession = (end: SessionEnd) => {
  if (isViewing()) return endView();
  lastEnd = end;
  clear();
};

export const lastSessionEnd = () => lastEnd;
