import { createRoute, redirect } from '@tanstack/react-router';
import type { CallName } from '../contract/calls.ts';
import { PHONE_NOTICES, type PhoneNoticeKind } from '../contract/fleet/phone-rules.ts';
import { dashboard } from './dashboard-routes.ts';
import { isDay } from './ground/i18n/moment-text.ts';
import { t } from './ground/i18n/translate.ts';
import { requireCall, toNotFound } from './guards.ts';
import { lazyPage } from './lazy-page.ts';
import { readAuditFilter } from './office/audit/audit-filter.ts';
import { readCustomerFilter } from './office/customers/customer-filter.ts';
import { readPaymentFilter } from './office/payments/payment-filter.ts';
import { LayoutFailure } from './pages/failure.tsx';
import type { PageName } from './pages/page-imports.ts';
import { root } from './root-route.ts';

/** A page without search parameters of its own, for who may make the call that it needs. */
const adminPage = <P extends string>(path: P, name: PageName, title: () => string, needs: CallName) =>
  createRoute({
    getParentRoute: () => dashboard,
    path,
    staticData: { title },
    beforeLoad: requireCall(needs),
    component: lazyPage(name),
  });

const retention = adminPage('/retention', 'Retention', () => t('retention.title'), 'GET /admin/retention');

const overview = adminPage('/overview', 'Overview', () => t('overview.title'), 'GET /admin/overview');

const otherRole = adminPage('/other-role', 'OtherRole', () => t('other_role.title'), 'GET /admin/overview');

const report = createRoute({
  getParentRoute: () => dashboard,
  path: '/report',
  staticData: { title: () => t('report.title') },
  validateSearch: ({ date }: Record<string, unknown>): { date?: string } => (isDay(date) ? { date } : {}),
  beforeLoad: requireCall('GET /report/status'),
  component: lazyPage('Report'),
});

const lanes = createRoute({
  getParentRoute: () => dashboard,
  path: '/lanes',
  staticData: { title: () => t('lanes.title') },
  validateSearch: ({ state }: Record<string, unknown>): { state?: 'down' } =>
    state === 'down' ? { state } : {},
  beforeLoad: requireCall('GET /admin/lanes'),
  component: lazyPage('Lanes'),
});

const prices = adminPage('/prices', 'Prices', () => t('prices.title'), 'GET /admin/prices');

const phone = createRoute({
  getParentRoute: () => dashboard,
  path: '/phone',
  staticData: { title: () => t('phones.title') },
  validateSearch: ({ q, notice }: Record<string, unknown>): { q?: string; notice?: PhoneNoticeKind } => {
    const kind = PHONE_NOTICES.find((one) => one === notice);
    return { ...(typeof q === 'string' && { q }), ...(kind && { notice: kind }) };
  },
  beforeLoad: requireCall('GET /phoneNumberInventory'),
  component: lazyPage('Phones'),
});

const accounts = createRoute({
  getParentRoute: () => dashboard,
  path: '/accounts',
  staticData: { title: () => t('customers.title') },
  validateSearch: readCustomerFilter,
  beforeLoad: requireCall('GET /admin/accounts'),
  component: lazyPage('Accounts'),
});

const admins = adminPage('/admins', 'Admins', () => t('admins.title'), 'GET /admin/admins');

const audit = createRoute({
  getParentRoute: () => dashboard,
  path: '/audit',
  staticData: { title: () => t('audit.title') },
  validateSearch: readAuditFilter,
  beforeLoad: requireCall('GET /admin/audit'),
  component: lazyPage('Audit'),
});

const inDoubt = adminPage('/in-doubt', 'InDoubt', () => t('doubt.title'), 'GET /admin/inDoubt');

const laneQueue = adminPage('/queue/$jobId', 'LaneQueue', () => t('queue.title'), 'GET /job/:jobId/queue');

const unassigned = adminPage(
  '/unassigned',
  'Unassigned',
  () => t('unassigned.title'),
  'GET /admin/unassigned',
);

const agents = createRoute({
  getParentRoute: () => dashboard,
  path: '/phone/agents',
  staticData: { title: () => t('agents.title') },
  validateSearch: ({ sim }: Record<string, unknown>): { sim?: 'moved' } => (sim === 'moved' ? { sim } : {}),
  beforeLoad: requireCall('GET /admin/agents'),
  component: lazyPage('Agents'),
});

/** The pages of the dashboard that only admins may open. */
export const adminPages = [
  overview,
  otherRole,
  report,
  lanes,
  prices,
  retention,
  phone,
  agents,
  accounts,
  admins,
  audit,
  inDoubt,
  laneQueue,
  unassigned,
] as const;

const qf = createRoute({
  getParentRoute: () => root,
  path: '/qf',
  errorComponent: LayoutFailure,
  staticData: { login: true },
  beforeLoad: requireCall('GET /qf/zones', 'GET /admin/payments'),
  component: lazyPage('DashboardLayout'),
});

const qfIndex = createRoute({
  getParentRoute: () => qf,
  path: '/',
  beforeLoad: async (navigation) => {
    await requireCall('GET /qf/zones')(navigation).catch(() => {
      throw redirect({ to: '/qf/payment', replace: true });
    });
    throw redirect({ to: '/qf/query', replace: true });
  },
});

const query = createRoute({
  getParentRoute: () => qf,
  path: '/query',
  staticData: { title: () => t('qf.title') },
  beforeLoad: requireCall('GET /qf/zones'),
  component: lazyPage('Query'),
});

const payment = createRoute({
  getParentRoute: () => qf,
  path: '/payment',
  staticData: { title: () => t('payments_desk.title') },
  validateSearch: readPaymentFilter,
  beforeLoad: requireCall('GET /admin/payments'),
  component: lazyPage('Payment'),
});

const qfUnknown = createRoute({ getParentRoute: () => qf, path: '$', beforeLoad: toNotFound });

/** The query tool and payments. */
export const queryToolRoutes = qf.addChildren([qfIndex, query, payment, qfUnknown]);
