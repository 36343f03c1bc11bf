import { lazyRouteComponent } from '@tanstack/react-router';
import type { PageName } from './pages/page-imports.ts';

/** The code of a page, by its name in pages/page-imports.ts or pages/admin/page-imports.ts. */
export const lazyPage = (name: PageName) =>
  lazyRouteComponent(async () => (await import('./pages/page-imports.ts')).loadPage(name), name);
