import type { ReactNode } from 'react';

type Sound<T> = { [N in keyof T]: () => Promise<{ [K in N]: () => ReactNode }> };
/** Keeps the names while checking that each file exports the component that it is named by. */
const definePages = <T extends Sound<T>>(pages: T): T => pages;

/**
 * Where the code of each page is, by the name of its component; the home page's alone is known to the router. The
 * addresses of all these files would otherwise be a part of every visitor's first load.
 */
export const pageImports = definePages({
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
  Messages: () => import('./messages.tsx'),
  MessageLog: () => import('./message-log.tsx'),
  MessageDetails: () => import('./message-details.tsx'),
  SendMessage: () => import('./send-message.tsx'),
  Contacts: () => import('./contacts.tsx'),
  OptOuts: () => import('./opt-outs.tsx'),
  Payments: () => import('./payments.tsx'),
  Billing: () => import('./billing.tsx'),
  WebhookEvents: () => import('./webhook-events.tsx'),
  Settings: () => import('./settings.tsx'),
  Integration: () => import('./integration.tsx'),
  Retention: () => import('./retention.tsx'),
});
export type PageImports = typeof pageImports;
