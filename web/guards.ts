import { redirect } from '@tanstack/react-router';
import { returnSearch } from './accounts/return-path.ts';
import { ApiError } from './api/api-error.ts';
import { storedToken } from './api/session.ts';

interface Navigation {
  location: { href: string };
}

export const requireLogin = ({ location }: Navigation) => {
  if (!storedToken()) throw redirect({ to: '/login', search: returnSearch(location.href) });
};

/** Only mirrors the server, which refuses admin calls of all other accounts. */
export const requireAdmin = async (navigation: Navigation) => {
  requireLogin(navigation);
  const { loadProfile } = await import('./accounts/profile-query.ts');
  try {
    const profile = await loadProfile();
    if (!profile.admin) throw redirect({ to: '/not_found', replace: true });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) requireLogin(navigation);
    throw error;
  }
};

export const toNotFound = () => {
  throw redirect({ to: '/not_found', replace: true });
};
