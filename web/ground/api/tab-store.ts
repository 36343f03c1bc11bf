/** What a tab keeps for one account while its page is left or reloaded; the browser forgets it with the tab. */
const PREFIX = 'kept:';

const keyOf = (accountId: string, name: string) => `${PREFIX}${accountId}:${name}`;

/** Undefined if nothing is kept, or nothing that can be read. */
export const readFromTab = (accountId: string, name: string): unknown => {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(accountId, name)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
};

export const keepInTab = (accountId: string, name: string, value: unknown): void => {
  try {
    sessionStorage.setItem(keyOf(accountId, name), JSON.stringify(value));
  } catch {
    // The browser has no room or allows no storage: the page works without.
  }
};

export const forgetKept = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
};
