import { redirect } from '@tanstack/react-router';
import type { CallName } from '../contract/calls.ts';
import { returnSearch } from './customer/accounts/return-path.ts';
import { ApiError } from './ground/api/api-error.ts';
import { storedToken } from './ground/api/session.ts';

interface Navigation {
  location: { href: string };
}

export const requireLogin = ({ location }: Navigation) => {
  if (!storedToken()) throw redirect({ to: '/login', search: returnSearch(location.href) });
};

export const toNotFound = () => {
  throw redirect({ to: '/not_found', replace: true });
};

const adminGuards = new Set<unknown>();

/** Whether a page's guard lets only admins in. */
export const isAdminGuard = (guard: unknown): boolean => adminGuards.has(guard);

/**
 * Opens a page to admins who may make one of its calls. It only mirrors the server, which refuses them to all others.
 */
export const requireCall = (...names: CallName[]) => {
  const guard = async (navigation: Navigation) => {
    requireLogin(navigation);
    const [{ loadProfile }, { mayCall }] = await Promise.all([
      import('./ground/api/profile-query.ts'),
      import('./ground/api/use-may.ts'),
    ]);
    try {
      const profile = await loadProfile();
      if (!profile.admin) toNotFound();
      if (!names.some((name) => mayCall(profile, name)))
        throw redirect({ to: '/dashboard/other-role', replace: true });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) requireLogin(navigation);
      throw error;
    }
  };
  adminGuards.add(guard);
  return guard;
};
