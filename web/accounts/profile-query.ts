import { queryOptions, skipToken } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { rememberEmail, storedToken } from '../api/session.ts';
import { setTimeZone } from '../i18n/time-zone.ts';

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  // Signing out empties the cache while the dashboard is still rendered; no profile is requested then.
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

/** The profile from memory; it is only requested when it was not loaded yet. */
export const loadProfile = () => queryClient.ensureQueryData(profileQuery);
