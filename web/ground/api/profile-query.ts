import { queryOptions } from '@tanstack/react-query';
import { setTimeZone } from '../i18n/time-zone.ts';
import { call } from './call.ts';
import { queryClient } from './query-client.ts';
import { rememberEmail, storedToken } from './session.ts';

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

/** The profile from memory; it is only requested when it was not loaded yet. */
export const loadProfile = () => queryClient.ensureQueryData(profileQuery);
