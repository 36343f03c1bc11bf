import { QueryClient } from '@tanstack/react-query';
import { onSessionChange, storedToken } from './session.ts';

/** Failed reads are shown with a way to try again, so nothing is repeated behind the reader's back. */
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
  // What is on the page keeps what it has read, so another account needs a page of its own.
  if (elsewhere && previous !== null && owner !== null) window.location.reload();
});
