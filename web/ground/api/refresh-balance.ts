import { queryClient } from './query-client.ts';

/** Reads again everything on the page that shows the balance. */
export const refreshBalance = () => {
  void queryClient.invalidateQueries({ queryKey: ['profile'] });
  void queryClient.invalidateQueries({ queryKey: ['quote'] });
};
