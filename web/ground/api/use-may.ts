import { useQuery } from '@tanstack/react-query';
import type { CallName } from '../../../contract/calls.ts';
import type { Profile } from '../../../contract/customer/accounts.ts';
import { profileQuery } from './profile-query.ts';

/** Whether the reader may make a call as an admin: the server's route table says it, and the pages offer nothing else. */
export const mayCall = (profile: Pick<Profile, 'calls'> | undefined, name: CallName): boolean =>
  profile?.calls?.includes(name) ?? false;

/** Asks of many places on a page, so it only takes the profile that the layout keeps fresh. */
export const useMay = () => {
  const { data } = useQuery({ ...profileQuery, refetchOnMount: false, refetchOnWindowFocus: false });
  return (name: CallName): boolean => mayCall(data, name);
};
