import type { ReactNode } from 'react';
import type { AdminPageImports } from './admin/page-imports.ts';
import type { NamedPages } from './named-pages.ts';

/**
 * Where the code of each page is, by the name of its component. Only the routes of the home page import their code
 * themselves: the addresses of all these files would otherwise be a part of every visitor's first load.
 */
const pageImports = {
  TermsCondition: () => import('./terms-condition.tsx'),
  PrivacyPolicy: () => import('./privacy-policy.tsx'),
  Mailbox: () => import('./mailbox.tsx'),
  NotFound: () => import('./not-found.tsx'),
  GuestLayout: () => import('./guest-layout.tsx'),
  Login: () => import('./login.tsx'),
  Register: () => import('./register.tsx'),
  ForgotPassword: () => import('./forgot-password.tsx'),
  ResetPassword: () => import('./reset-password.tsx'),
  Activate: () => import('./activate.tsx'),
  DashboardLayout: () => import('./dashboard-layout.tsx'),
  Profile: () => import('./profile.tsx'),
  Devices: () => import('./devices.tsx'),
  Messages: () => import('./messages.tsx'),
  MessageLog: () => import('./message-log.tsx'),
  MessageDetails: () => import('./message-details.tsx'),
  SendMessage: () => import('./send-message.tsx'),
  Batches: () => import('./batches.tsx'),
  Batch: () => import('./batch.tsx'),
  Contacts: () => import('./contacts.tsx'),
  OptOuts: () => import('./opt-outs.tsx'),
  Payments: () => import('./payments.tsx'),
  Billing: () => import('./billing.tsx'),
  WebhookEvents: () => import('./webhook-events.tsx'),
  Settings: () => import('./settings.tsx'),
  Integration: () => import('./integration.tsx'),
};
type PageImports = NamedPages<typeof pageImports>;
export type PageName = keyof PageImports | keyof AdminPageImports;

const isForAll = (name: PageName): name is keyof PageImports => name in pageImports;

/** Admins' pages are listed in a file of their own, which customers never load. */
export const loadPage = async (name: PageName): Promise<Record<string, () => ReactNode>> =>
  isForAll(name) ? pageImports[name]() : (await import('./admin/page-imports.ts')).adminPageImports[name]();
