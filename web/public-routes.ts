import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { activeLanguage } from './ground/i18n/language.ts';
import { t } from './ground/i18n/translate.ts';
import { loadPrivacy, loadTerms } from './ground/legal/load-legal.ts';
import { lazyPage } from './lazy-page.ts';
import { keepMailboxToken, loadMailbox } from './office/mailbox/load-mailbox.ts';
import { LayoutFailure } from './pages/failure.tsx';
import { root } from './root-route.ts';
import { startup } from './traffic/startup/startup.ts';

const publicLayout = createRoute({
  getParentRoute: () => root,
  id: 'public',
  errorComponent: LayoutFailure,
  component: lazyRouteComponent(() => import('./pages/guest/public-layout.tsx'), 'PublicLayout'),
});

const home = createRoute({
  getParentRoute: () => publicLayout,
  path: '/',
  staticData: { title: () => t('route.home') },
  component: lazyRouteComponent(() => import('./pages/guest/home.tsx'), 'Home'),
});

const termsCondition = createRoute({
  getParentRoute: () => publicLayout,
  path: '/terms_condition',
  staticData: { title: () => t('route.terms') },
  loader: () => loadTerms[activeLanguage()](),
  component: lazyPage('TermsCondition'),
});

const privacyPolicy = createRoute({
  getParentRoute: () => publicLayout,
  path: '/privacy_policy',
  staticData: { title: () => t('route.privacy') },
  loader: () => loadPrivacy[activeLanguage()](),
  component: lazyPage('PrivacyPolicy'),
});

const mailbox = createRoute({
  getParentRoute: () => publicLayout,
  path: '/mailbox',
  staticData: { title: () => t('route.mailbox') },
  validateSearch: ({ mail }: Record<string, unknown>): { mail?: string } =>
    typeof mail === 'string' ? { mail } : {},
  loaderDeps: ({ search }) => search,
  loader: async ({ deps, location: { hash } }) => {
    if (!startup().mailbox) throw redirect({ to: '/not_found', replace: true });
    if (hash) {
      keepMailboxToken(hash);
      throw redirect({ to: '/mailbox', search: deps, replace: true });
    }
    return loadMailbox(deps.mail);
  },
  // New mail is expected here at any moment.
  preload: false,
  gcTime: 0,
  component: lazyPage('Mailbox'),
});

const notFound = createRoute({
  getParentRoute: () => publicLayout,
  path: '/not_found',
  staticData: { title: () => t('route.not_found') },
  component: lazyPage('NotFound'),
});

/** The pages that anybody may read. */
export const publicRoutes = publicLayout.addChildren([
  home,
  termsCondition,
  privacyPolicy,
  mailbox,
  notFound,
]);
