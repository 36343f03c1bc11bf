import { queryOptions, skipToken } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { rememberEmail, storedToken } from '../api/session.ts';
import { setTimeZone } from '../i18n/time-zone.ts';

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  // Signing out empties the cache while the dashboard is still drawn; nobody's profile is asked for then.
  enabled: () => storedToken() !== null,
  queryFn: async () => {
    const profile = await call('GET /account/me/profile');
    rememberEmail(profile.email);
    setTimeZone(profile.timeZone);
    return profile;
  },
});

export const apiInfoQuery = (accountId: AccountId | undefined) =>
  queryOptions({
    queryKey: ['apiInfo', accountId],
    queryFn: accountId ? () => call('GET /account/:accountId/apiInfo', { params: { accountId } }) : skipToken,
  });

/** The profile as it is in memory; it is only asked for where it was not yet. */
export const loadProfile = () => queryClient.ensureQueryData(profileQuery);
