import { createRoute, redirect } from '@tanstack/react-router';
import { safeReturnPath } from './customer/accounts/return-path.ts';
import { t } from './ground/i18n/translate.ts';
import { lazyPage } from './lazy-page.ts';
import { LayoutFailure } from './pages/failure.tsx';
import { root } from './root-route.ts';

const tokenSearch = (search: Record<string, unknown>): { token?: string } =>
  typeof search.token === 'string' && search.token ? { token: search.token } : {};

/** A link without its token cannot be used. */
const requireLinkToken = ({ search }: { search: { token?: string } }) => {
  if (!search.token) throw redirect({ to: '/login', replace: true });
};

const guestLayout = createRoute({
  getParentRoute: () => root,
  id: 'guest',
  errorComponent: LayoutFailure,
  component: lazyPage('GuestLayout'),
});

const login = createRoute({
  getParentRoute: () => guestLayout,
  path: '/login',
  staticData: { title: () => t('route.login') },
  validateSearch: (search: Record<string, unknown>): { returnTo?: string } => {
    const returnTo = safeReturnPath(search.returnTo, window.location.origin);
    return returnTo ? { returnTo } : {};
  },
  component: lazyPage('Login'),
});

/** An invitation's link names the email that it was sent to. */
const invitationSearch = (search: Record<string, unknown>): { token?: string; email?: string } => ({
  ...tokenSearch(search),
  ...(typeof search.email === 'string' && { email: search.email }),
});

const register = createRoute({
  getParentRoute: () => guestLayout,
  path: '/register',
  validateSearch: invitationSearch,
  staticData: { title: () => t('route.register') },
  component: lazyPage('Register'),
});

const forgotPassword = createRoute({
  getParentRoute: () => guestLayout,
  path: '/forgot-password',
  staticData: { title: () => t('route.forgot_password') },
  component: lazyPage('ForgotPassword'),
});

const resetPassword = createRoute({
  getParentRoute: () => guestLayout,
  path: '/reset-password',
  staticData: { title: () => t('route.reset_password') },
  validateSearch: tokenSearch,
  beforeLoad: requireLinkToken,
  component: lazyPage('ResetPassword'),
});

const activate = createRoute({
  getParentRoute: () => guestLayout,
  path: '/activate',
  staticData: { title: () => t('route.activate') },
  validateSearch: tokenSearch,
  beforeLoad: requireLinkToken,
  component: lazyPage('Activate'),
});

/** The pages for those who have not logged in. */
export const guestRoutes = guestLayout.addChildren([
  login,
  register,
  forgotPassword,
  resetPassword,
  activate,
]);
