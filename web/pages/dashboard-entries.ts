import {
  IconBrandWhatsapp,
  IconCode,
  IconCreditCard,
  IconDatabaseSearch,
  IconDeviceMobile,
  IconLayoutDashboard,
  IconMessage,
  IconReceipt,
  IconReportAnalytics,
  IconSettings,
  IconUserCircle,
  type TablerIcon,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import type { CallName } from '../../contract/calls.ts';
import { t } from '../ground/i18n/translate.ts';

interface DashboardEntry {
  label: () => string;
  to: LinkProps['to'];
  icon: TablerIcon;
  /** Shown only to admins who may make one of these calls. */
  calls?: CallName[];
}

/** The entries of the sidebar, in order. */
export const DASHBOARD_ENTRIES: DashboardEntry[] = [
  {
    label: () => t('overview.title'),
    to: '/dashboard/overview',
    icon: IconLayoutDashboard,
    calls: ['GET /admin/overview'],
  },
  { label: () => t('route.profile'), to: '/dashboard/profile', icon: IconUserCircle },
  { label: () => t('devices.title'), to: '/dashboard/devices', icon: IconBrandWhatsapp },
  { label: () => t('route.messages'), to: '/dashboard/messages', icon: IconMessage },
  { label: () => t('route.settings'), to: '/dashboard/settings', icon: IconSettings },
  { label: () => t('route.payments'), to: '/dashboard/payments', icon: IconCreditCard },
  { label: () => t('route.integration'), to: '/dashboard/integration', icon: IconCode },
  { label: () => t('billing.title'), to: '/dashboard/billing', icon: IconReceipt },
  {
    label: () => t('report.title'),
    to: '/dashboard/report',
    icon: IconReportAnalytics,
    calls: ['GET /report/status'],
  },
  {
    label: () => t('phones.title'),
    to: '/dashboard/phone',
    icon: IconDeviceMobile,
    calls: ['GET /phoneNumberInventory'],
  },
  {
    label: () => t('qf.title'),
    to: '/qf',
    icon: IconDatabaseSearch,
    calls: ['GET /qf/zones', 'GET /admin/payments'],
  },
];
