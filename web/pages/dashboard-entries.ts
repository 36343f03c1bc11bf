import {
  IconCode,
  IconCreditCard,
  IconDatabaseSearch,
  IconDeviceMobile,
  IconMessage,
  IconReceipt,
  IconSettings,
  IconUserCircle,
  type TablerIcon,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import { t } from '../i18n/translate.ts';

interface DashboardEntry {
  label: () => string;
  to: LinkProps['to'];
  icon: TablerIcon;
  /** Shown to admins only. */
  admin?: true;
}

/** The entries of the sidebar, in order. */
export const DASHBOARD_ENTRIES: DashboardEntry[] = [
  { label: () => t('route.profile'), to: '/dashboard/profile', icon: IconUserCircle },
  { label: () => t('route.messages'), to: '/dashboard/messages', icon: IconMessage },
  { label: () => t('route.settings'), to: '/dashboard/settings', icon: IconSettings },
  { label: () => t('route.payments'), to: '/dashboard/payments', icon: IconCreditCard },
  { label: () => t('route.integration'), to: '/dashboard/integration', icon: IconCode },
  { label: () => t('billing.title'), to: '/dashboard/billing', icon: IconReceipt },
  { label: () => t('phones.title'), to: '/dashboard/phone', icon: IconDeviceMobile, admin: true },
  { label: () => t('qf.title'), to: '/qf/query', icon: IconDatabaseSearch, admin: true },
];
