import type { ReactNode } from 'react';
import type { AdminPageImports } from './admin/page-imports.ts';
import type { NamedPages } from './named-pages.ts';

/**
 * Where the code of each page is, by the name of its component. Only the routes of the home page import their code
 * themselves: the addresses of all these files would otherwise be a part of every visitor's first load.
 */
const pageImports = {
  TermsCondition: () => import('./guest/terms-condition.tsx'),
  PrivacyPolicy: () => import('./guest/privacy-policy.tsx'),
  Mailbox: () => import('./guest/mailbox.tsx'),
  NotFound: () => import('./guest/not-found.tsx'),
  GuestLayout: () => import('./guest/guest-layout.tsx'),
  Login: () => import('./guest/login.tsx'),
  Register: () => import('./guest/register.tsx'),
  ForgotPassword: () => import('./guest/forgot-password.tsx'),
  ResetPassword: () => import('./guest/reset-password.tsx'),
  Activate: () => import('./guest/activate.tsx'),
  DashboardLayout: () => import('./dashboard-layout.tsx'),
  Profile: () => import('./customer/profile.tsx'),
  Devices: () => import('./customer/devices.tsx'),
  Messages: () => import('./customer/messages.tsx'),
  MessageLog: () => import('./customer/message-log.tsx'),
  MessageDetails: () => import('./customer/message-details.tsx'),
  SendMessage: () => import('./customer/send-message.tsx'),
  Batches: () => import('./customer/batches.tsx'),
  Batch: () => import('./customer/batch.tsx'),
  Contacts: () => import('./customer/contacts.tsx'),
  OptOuts: () => import('./customer/opt-outs.tsx'),
  Payments: () => import('./customer/payments.tsx'),
  Billing: () => import('./customer/billing.tsx'),
  WebhookEvents: () => import('./customer/webhook-events.tsx'),
  Settings: () => import('./customer/settings.tsx'),
  Integration: () => import('./customer/integration.tsx'),
};
type PageImports = NamedPages<typeof pageImports>;
export type PageName = keyof PageImports | keyof AdminPageImports;

const isForAll = (name: PageName): name is keyof PageImports => name in pageImports;

/** Admins' pages are listed in a file of their own, which customers never load. */
export const loadPage = async (name: PageName): Promise<Record<string, () => ReactNode>> =>
  isForAll(name) ? pageImports[name]() : (await import('./admin/page-imports.ts')).adminPageImports[name]();
