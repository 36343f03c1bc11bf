import { useState } from 'react';

/** What the tool keeps in this browser, by the key in its local storage. */
const KEYS = {
  zone: 'zone',
  database: 'database',
  sql: 'sql',
  bookmarks: 'bookmarks',
  merchantTerm: 'merchantTerm',
} as const;
type Kept = keyof typeof KEYS;

const OWNER = 'queryOwner';
/** Nobody's business but the owner's; where the tool was used last may be known. */
const PRIVATE = ['sql', 'bookmarks', 'merchantTerm'] as const;

/** Another admin of the same browser begins anew. */
export const keepFor = (accountId: string): void => {
  try {
    const owner = localStorage.getItem(OWNER);
    if (owner !== null && owner !== accountId)
      for (const name of PRIVATE) localStorage.removeItem(KEYS[name]);
    localStorage.setItem(OWNER, accountId);
  } catch {
    // As below.
  }
};

export const readKept = (name: Kept): string => {
  try {
    return localStorage.getItem(KEYS[name]) ?? '';
  } catch {
    return '';
  }
};

export const keep = (name: Kept, value: string): void => {
  try {
    localStorage.setItem(KEYS[name], value);
  } catch {
    // The browser has no room or allows no storage: the tool works without.
  }
};

/** A state that the browser remembers. */
export const useKept = (name: Kept): [string, (value: string) => void] => {
  const [value, setValue] = useState(() => readKept(name));
  return [
    value,
    (next) => {
      setValue(next);
      keep(name, next);
    },
  ];
};

/** The specification's bookmark, as the browser's list holds it. */
export interface LocalBookmark {
  id: string;
  query: string;
  database: string;
}

const isBookmark = (value: unknown): value is LocalBookmark => {
  const { id, query, database } = (value ?? {}) as Partial<Record<keyof LocalBookmark, unknown>>;
  return (
    typeof id === 'string' &&
    /^\d{1,20}$/.test(id) &&
    typeof query === 'string' &&
    typeof database === 'string'
  );
};

/** Undefined if there is no list yet; entries that are no bookmarks are left out. */
export const readBookmarks = (): LocalBookmark[] | undefined => {
  try {
    const list: unknown = JSON.parse(readKept('bookmarks') || 'null');
    return Array.isArray(list) ? list.filter(isBookmark) : undefined;
  } catch {
    return undefined;
  }
};

export const keepBookmarks = (bookmarks: LocalBookmark[]): void =>
  keep('bookmarks', JSON.stringify(bookmarks.map(({ id, query, database }) => ({ id, query, database }))));
