import type { NamedPages } from '../named-pages.ts';

/** Where the code of each admin's page is, apart from ../page-imports.ts, so that no customer loads any of it. */
export const adminPageImports = {
  Accounts: () => import('./accounts.tsx'),
  Admins: () => import('./admins.tsx'),
  Audit: () => import('./audit.tsx'),
  Overview: () => import('./overview.tsx'),
  OtherRole: () => import('./other-role.tsx'),
  Report: () => import('./report.tsx'),
  Prices: () => import('./prices.tsx'),
  Lanes: () => import('./lanes.tsx'),
  Agents: () => import('./agents.tsx'),
  Query: () => import('./query.tsx'),
  Payment: () => import('./payment.tsx'),
  Phones: () => import('./phones.tsx'),
  InDoubt: () => import('./in-doubt.tsx'),
  LaneQueue: () => import('./lane-queue.tsx'),
  Retention: () => import('./retention.tsx'),
  Unassigned: () => import('./unassigned.tsx'),
};
export type AdminPageImports = NamedPages<typeof adminPageImports>;
