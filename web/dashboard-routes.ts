import { createRoute, redirect } from '@tanstack/react-router';
import type { LedgerFilter } from '../contract/customer/wallet.ts';
import type { Channel } from '../contract/ground/channels.ts';
import { requireCardDocument } from './customer/wallet/cards/card-document.ts';
import { readLedgerFilter } from './customer/wallet/ledger/ledger-kinds.ts';
import { t } from './ground/i18n/translate.ts';
import { requireLogin } from './guards.ts';
import { lazyPage } from './lazy-page.ts';
import { LayoutFailure } from './pages/failure.tsx';
import type { PageName } from './pages/page-imports.ts';
import { root } from './root-route.ts';
import type { LogFilters } from './traffic/messages/log/log-filters.ts';
import type { MessageFilters } from './traffic/messages/search/message-filters.ts';

/** The layout of every page behind the login. */
export const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  errorComponent: LayoutFailure,
  staticData: { login: true },
  beforeLoad: requireLogin,
  component: lazyPage('DashboardLayout'),
});

/** A page without search parameters of its own. */
const dashboardPage = <P extends string>(path: P, name: PageName, title: () => string) =>
  createRoute({ getParentRoute: () => dashboard, path, staticData: { title }, component: lazyPage(name) });

const dashboardIndex = createRoute({
  getParentRoute: () => dashboard,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/profile', replace: true });
  },
});

const profile = dashboardPage('/profile', 'Profile', () => t('route.profile'));

const devices = dashboardPage('/devices', 'Devices', () => t('devices.title'));

/** Leaves the filters as they are: the page itself validates them. */
const filtersSearch = <F>({ filters }: Record<string, unknown>): { filters?: Partial<F> } =>
  filters === undefined ? {} : { filters: filters as Partial<F> };

const messages = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages',
  staticData: { title: () => t('route.messages') },
  validateSearch: filtersSearch<MessageFilters>,
  component: lazyPage('Messages'),
});

const messageLog = createRoute({
  getParentRoute: () => dashboard,
  path: '/messages/log',
  staticData: { title: () => t('log.title') },
  validateSearch: filtersSearch<LogFilters>,
  component: lazyPage('MessageLog'),
});

const messageDetails = dashboardPage('/messages/details/$messageId', 'MessageDetails', () =>
  t('details.title'),
);

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

const batches = dashboardPage('/messages/batches', 'Batches', () => t('batches.title'));

const batch = dashboardPage('/messages/batches/$batchId', 'Batch', () => t('batches.one'));

const contacts = dashboardPage('/messages/contacts', 'Contacts', () => t('contacts.title'));

const optOuts = dashboardPage('/messages/opt-outs', 'OptOuts', () => t('opt_outs.title'));

const payments = createRoute({
  getParentRoute: () => dashboard,
  path: '/payments',
  staticData: { title: () => t('route.payments') },
  validateSearch: (search: Record<string, unknown>): LedgerFilter & { tab?: 'ledger' } =>
    search.tab === 'ledger' ? { tab: 'ledger', ...readLedgerFilter(search) } : { tab: undefined },
  beforeLoad: requireCardDocument,
  component: lazyPage('Payments'),
});

const billing = createRoute({
  getParentRoute: () => dashboard,
  path: '/billing',
  staticData: { title: () => t('billing.title') },
  validateSearch: ({ date }: Record<string, unknown>): { date?: string } => ({
    date: typeof date === 'string' && /^2\d{3}-(0[1-9]|1[0-2])$/.test(date) ? date : undefined,
  }),
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

const settings = dashboardPage('/settings', 'Settings', () => t('route.settings'));

const integration = dashboardPage('/integration', 'Integration', () => t('route.integration'));

/** The pages that every account has. */
export const dashboardPages = [
  dashboardIndex,
  profile,
  devices,
  messages,
  messageLog,
  sendMessage,
  messageDetails,
  batches,
  batch,
  contacts,
  optOuts,
  webhookEvents,
  settings,
  payments,
  integration,
  billing,
] as const;
