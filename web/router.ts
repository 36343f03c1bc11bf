import { createRoute, createRouter } from '@tanstack/react-router';
import { adminPages, queryToolRoutes } from './admin-routes.ts';
import { returnSearch } from './customer/accounts/return-path.ts';
import { dashboard, dashboardPages } from './dashboard-routes.ts';
import { lastSessionEnd, onSessionChange, storedToken } from './ground/api/session.ts';
import { toNotFound } from './guards.ts';
import { guestRoutes } from './guest-routes.ts';
import { Failure } from './pages/failure.tsx';
import { publicRoutes } from './public-routes.ts';
import { root } from './root-route.ts';
import { parseSearch, stringifySearch } from './search-params.ts';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The route's name, as the page title says it. */
    title?: () => string;
    /** Whether the end of the session leads from this page to the sign-in page. */
    login?: true;
  }
  interface HistoryState {
    /** The email address typed on the home page, for the registration form. */
    email?: string;
    /** The address of the message list, with its filters, that a message was opened from. */
    list?: string;
  }
}

const unknown = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: toNotFound });

const routeTree = root.addChildren([
  publicRoutes,
  guestRoutes,
  dashboard.addChildren([...dashboardPages, ...adminPages]),
  queryToolRoutes,
  unknown,
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: Failure,
  scrollRestoration: true,
});

/** A session may end at any time: by a refused token, or in another tab. */
onSessionChange(() => {
  if (storedToken() || !router.state.matches.some((match) => match.staticData.login)) return;
  const search = lastSessionEnd() === 'expired' ? returnSearch(router.state.location.href) : {};
  void router.navigate({ to: '/login', search, replace: true });
});
