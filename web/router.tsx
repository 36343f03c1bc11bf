import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Channel } from '../contract/messages.ts';
import type { LedgerFilter } from '../contract/wallet.ts';
import { returnSearch, safeReturnPath } from './accounts/return-path.ts';
import { lastSessionEnd, onSessionChange, storedToken } from './api/session.ts';
import { requireAdmin, requireLogin } from './guards.ts';
import { activeLanguage } from './i18n/language.ts';
import { t } from './i18n/translate.ts';
import { loadPrivacy, loadTerms } from './legal/load-legal.ts';
import { loadMailbox } from './mailbox/load-mailbox.ts';
import type { LogFilters } from './messages/log-filters.ts';
import type { MessageFilters } from './messages/message-filters.ts';
import { Failure, LayoutFailure } from './pages/failure.tsx';
import type { PageImports } from './pages/page-imports.ts';
import { Root } from './pages/root.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';
import { requireCardDocument } from './wallet/card-document.ts';
import { readLedgerFilter } from './wallet/ledger-kinds.ts';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The route's name, as the page title says it. */
    title?: () => string;
    /** Pages that are left for the sign-in page when the session ends. */
    login?: true;
  }
  interface HistoryState {
    /** What was typed on the home page, for the registration form. */
    email?: string;
    /** The list of messages, with its filters, that one was opened from. */
    list?: string;
  }
}

const tokenSearch = (search: Record<string, unknown>): { token?: string } =>
  typeof search.token === 'string' && search.token ? { token: search.token } : {};

/** A link without its token leads nowhere. */
const requireLinkToken = ({ search }: { search: { token?: string } }) => {
  if (!search.token) throw redirect({ to: '/login', replace: true });
};

/** The code of a page, by its name in pages/page-imports.ts. */
const lazyPage = <N extends keyof PageImports>(name: N) =>
  lazyRouteComponent(
    async (): Promise<Record<string, () => ReactNode>> =>
      (await import('./pages/page-imports.ts')).pageImports[name](),
    name as string,
  );

const root = createRootRoute({ component: Root, errorComponent: LayoutFailure });

const publicLayout = createRoute({
  getParentRoute: () => root,
  id: 'public',
  errorComponent: LayoutFailure,
  component: lazyRouteComponent(() => import('./pages/public-layout.tsx'), 'PublicLayout'),
});

const home = createRoute({
  getParentRoute: () => publicLayout,
  path: '/',
  staticData: { title: () => t('route.home') },
  component: lazyRouteComponent(() => import('./pages/home.tsx'), 'Home'),
});

const termsCondition = createRoute({
  getParentRoute: () => publicLayout,
  path: '/terms_condition',
  staticData: { title: () => t('route.terms') },
  loader: () => loadTerms[activeLanguage()](),
  component: lazyPage('TermsCondition'),
});

const privacyPolicy = createRoute({
  getParentRoute: () => publicLayout,
  path: '/privacy_policy',
  staticData: { title: () => t('route.privacy') },
  loader: () => loadPrivacy[activeLanguage()](),
  component: lazyPage('PrivacyPolicy'),
});

const mailbox = createRoute({
  getParentRoute: () => publicLayout,
  path: '/mailbox',
  staticData: { title: () => t('route.mailbox') },
  validateSearch: ({ mail }: Record<string, unknown>): { mail?: string } =>
    typeof mail === 'string' ? { mail } : {},
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const found = await loadMailbox(deps.mail);
    if (!found) throw redirect({ to: '/not_found', replace: true });
    return found;
  },
  // New mail is expected here at any moment.
  preload: false,
  gcTime: 0,
  component: lazyPage('Mailbox'),
});

const notFound = createRoute({
  getParentRoute: () => publicLayout,
  path: '/not_found',
  staticData: { title: () => t('route.not_found') },
  component: lazyPage('NotFound'),
});

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

const register = createRoute({
  getParentRoute: () => guestLayout,
  path: '/register',
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

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  errorComponent: LayoutFailure,
  staticData: { login: true },
  beforeLoad: requireLogin,
  component: lazyPage('DashboardLayout'),
});

const dashboardIndex = createRoute({
  getParentRoute: () => dashboard,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/profile', replace: true });
  },
});

const profile = createRoute({
  getParentRoute: () => dashboard,
  path: '/profile',
  staticData: { title: () => t('route.profile') },
  component: lazyPage('Profile'),
});

const messages = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages',
  staticData: { title: () => t('route.messages') },
  // The page itself says what it understands of it.
  validateSearch: ({ filters }: Record<string, unknown>): { filters?: Partial<MessageFilters> } =>
    filters === undefined ? {} : { filters: filters as Partial<MessageFilters> },
  component: lazyPage('Messages'),
});

const messageLog = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages/log',
  staticData: { title: () => t('log.title') },
  // The page itself says what it understands of it.
  validateSearch: ({ filters }: Record<string, unknown>): { filters?: Partial<LogFilters> } =>
    filters === undefined ? {} : { filters: filters as Partial<LogFilters> },
  component: lazyPage('MessageLog'),
});

const messageDetails = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages/details/$messageId',
  staticData: { title: () => t('details.title') },
  component: lazyPage('MessageDetails'),
});

const sendMessage = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages/send',
  staticData: { title: () => t('send.title') },
  validateSearch: ({
    upload,
    batch,
    phone,
    channel,
  }: Record<string, unknown>): { upload?: string; batch?: string; phone?: string; channel?: Channel } => ({
    ...(typeof upload === 'string' && { upload }),
    ...(typeof batch === 'string' && { batch }),
    ...(typeof phone === 'string' && { phone }),
    ...(typeof channel === 'string' && { channel: channel as Channel }),
  }),
  component: lazyPage('SendMessage'),
});

const contacts = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages/contacts',
  staticData: { title: () => t('contacts.title') },
  component: lazyPage('Contacts'),
});

const optOuts = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages/opt-outs',
  staticData: { title: () => t('opt_outs.title') },
  component: lazyPage('OptOuts'),
});

const payments = createRoute({
  getParentRoute: () => dashboard,
  path: '/payments',
  staticData: { title: () => t('route.payments') },
  validateSearch: (search: Record<string, unknown>): LedgerFilter & { tab?: 'ledger' } =>
    search.tab === 'ledger' ? { tab: 'ledger', ...readLedgerFilter(search) } : {},
  beforeLoad: requireCardDocument,
  component: lazyPage('Payments'),
});

const billing = createRoute({
  getParentRoute: () => dashboard,
  path: '/billing',
  staticData: { title: () => t('billing.title') },
  validateSearch: ({ date }: Record<string, unknown>): { date?: string } =>
    typeof date === 'string' && /^2\d{3}-(0[1-9]|1[0-2])$/.test(date) ? { date } : {},
  component: lazyPage('Billing'),
});

const webhookEvents = createRoute({
  getParentRoute: () => dashboard,
  path: '/integration/events',
  staticData: { title: () => t('events.title') },
  // The page reads what makes sense of it.
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyPage('WebhookEvents'),
});

const settings = createRoute({
  getParentRoute: () => dashboard,
  path: '/settings',
  staticData: { title: () => t('route.settings') },
  component: lazyPage('Settings'),
});

const retention = createRoute({
  getParentRoute: () => dashboard,
  path: '/retention',
  staticData: { title: () => t('retention.title') },
  beforeLoad: requireAdmin,
  component: lazyPage('Retention'),
});

const integration = createRoute({
  getParentRoute: () => dashboard,
  path: '/integration',
  staticData: { title: () => t('route.integration') },
  component: lazyPage('Integration'),
});

const qf = createRoute({
  getParentRoute: () => root,
  path: '/qf',
  errorComponent: LayoutFailure,
  staticData: { login: true },
  beforeLoad: requireAdmin,
});

const qfIndex = createRoute({
  getParentRoute: () => qf,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: '/qf/query', replace: true });
  },
});

const toNotFound = () => {
  throw redirect({ to: '/not_found', replace: true });
};

const qfUnknown = createRoute({ getParentRoute: () => qf, path: '$', beforeLoad: toNotFound });
const unknown = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: toNotFound });

const routeTree = root.addChildren([
  publicLayout.addChildren([home, termsCondition, privacyPolicy, mailbox, notFound]),
  guestLayout.addChildren([login, register, forgotPassword, resetPassword, activate]),
  dashboard.addChildren([
    dashboardIndex,
    profile,
    messages,
    messageLog,
    sendMessage,
    messageDetails,
    contacts,
    optOuts,
    webhookEvents,
    settings,
    payments,
    integration,
    billing,
    retention,
  ]),
  qf.addChildren([qfIndex, qfUnknown]),
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
