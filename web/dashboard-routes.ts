import { createRoute, redirect } from '@tanstack/react-router';
import type { Channel } from '../contract/messages.ts';
import type { LedgerFilter } from '../contract/wallet.ts';
import { requireLogin } from './guards.ts';
import { t } from './i18n/translate.ts';
import { lazyPage } from './lazy-page.ts';
import type { LogFilters } from './messages/log-filters.ts';
import type { MessageFilters } from './messages/message-filters.ts';
import { LayoutFailure } from './pages/failure.tsx';
import { root } from './root-route.ts';
import { requireCardDocument } from './wallet/card-document.ts';
import { readLedgerFilter } from './wallet/ledger-kinds.ts';

/** The layout of every page behind the login. */
export const dashboard = createRoute({
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
  // The page itself validates the filters.
  validateSearch: ({ filters }: Record<string, unknown>): { filters?: Partial<MessageFilters> } =>
    filters === undefined ? {} : { filters: filters as Partial<MessageFilters> },
  component: lazyPage('Messages'),
});

const messageLog = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages/log',
  staticData: { title: () => t('log.title') },
  // The page itself validates the filters.
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
  // The page itself validates the filter.
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyPage('WebhookEvents'),
});

const settings = createRoute({
  getParentRoute: () => dashboard,
  path: '/settings',
  staticData: { title: () => t('route.settings') },
  component: lazyPage('Settings'),
});

const integration = createRoute({
  getParentRoute: () => dashboard,
  path: '/integration',
  staticData: { title: () => t('route.integration') },
  component: lazyPage('Integration'),
});

/** The pages that every account has. */
export const dashboardPages = [
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
] as const;
