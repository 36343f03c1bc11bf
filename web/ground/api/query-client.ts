import { QueryClient } from '@tanstack/react-query';
import { lastSessionEnd, onSessionChange, storedToken } from './session.ts';
import { forgetKept } from './tab-store.ts';

/** Failed reads are not repeated automatically: the page shows them with a button to try again. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000, networkMode: 'always' } },
});

// What one account has read must never be seen by the next one on the same machine.
let owner = storedToken();
onSessionChange(({ elsewhere }) => {
  const previous = owner;
  owner = storedToken();
  if (owner === previous) return;
  queryClient.clear();
  // Somebody whose session expired finds the draft again; it is stored under the account's id.
  if (owner === null && lastSessionEnd() !== 'expired') forgetKept();
  // Components keep what they have read, so the page is reloaded for another account.
  if (elsewhere && previous !== null && owner !== null) window.location.reload();
});
