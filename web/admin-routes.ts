import { createRoute, redirect } from '@tanstack/react-router';
import { dashboard } from './dashboard-routes.ts';
import { requireAdmin, toNotFound } from './guards.ts';
import { t } from './i18n/translate.ts';
import { lazyPage } from './lazy-page.ts';
import { LayoutFailure } from './pages/failure.tsx';
import { readPaymentFilter } from './payments/payment-filter.ts';
import { root } from './root-route.ts';

const retention = createRoute({
  getParentRoute: () => dashboard,
  path: '/retention',
  staticData: { title: () => t('retention.title') },
  beforeLoad: requireAdmin,
  component: lazyPage('Retention'),
});

const phone = createRoute({
  getParentRoute: () => dashboard,
  path: '/phone',
  staticData: { title: () => t('phones.title') },
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } => (typeof q === 'string' ? { q } : {}),
  beforeLoad: requireAdmin,
  component: lazyPage('Phones'),
});

/** The pages of the dashboard that only admins may open. */
export const adminPages = [retention, phone] as const;

const qf = createRoute({
  getParentRoute: () => root,
  path: '/qf',
  errorComponent: LayoutFailure,
  staticData: { login: true },
  beforeLoad: requireAdmin,
  component: lazyPage('DashboardLayout'),
});

const qfIndex = createRoute({
  getParentRoute: () => qf,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/qf/query', replace: true });
  },
});

const query = createRoute({
  getParentRoute: () => qf,
  path: '/query',
  staticData: { title: () => t('qf.title') },
  component: lazyPage('Query'),
});

const payment = createRoute({
  getParentRoute: () => qf,
  path: '/payment',
  staticData: { title: () => t('payments_desk.title') },
  validateSearch: readPaymentFilter,
  component: lazyPage('Payment'),
});

const qfUnknown = createRoute({ getParentRoute: () => qf, path: '$', beforeLoad: toNotFound });

/** The query tool and payments. */
export const queryToolRoutes = qf.addChildren([qfIndex, query, payment, qfUnknown]);
