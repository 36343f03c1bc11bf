import type { NamedPages } from '../named-pages.ts';

/** Where the code of each admin's page is, apart from ../page-imports.ts, so that no customer loads any of it. */
export const adminPageImports = {
  Query: () => import('./query.tsx'),
  Payment: () => import('./payment.tsx'),
  Phones: () => import('./phones.tsx'),
  Retention: () => import('./retention.tsx'),
};
export type AdminPageImports = NamedPages<typeof adminPageImports>;
