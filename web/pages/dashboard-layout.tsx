import { AppShell, Burger } from '@mantine/core';
import { useDisclosure, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useRouterState } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { Fragment, useEffect, useRef } from 'react';
import { PRODUCT_NAME } from '../../contract/ground/constants.ts';
import { LogoutDialog } from '../customer/accounts/logout-dialog.tsx';
import { ViewBanner } from '../customer/accounts/view-banner.tsx';
import { queryClient } from '../ground/api/query-client.ts';
import { useTimeZone } from '../ground/i18n/time-zone.ts';
import { t } from '../ground/i18n/translate.ts';
import { useLoading } from '../ground/ui/feedback/loading.ts';
import { LoadingOverlay } from '../ground/ui/feedback/loading-overlay.tsx';
import { BrandMark } from '../ground/ui/layout/brand-mark.tsx';
import { ColourSchemeToggle } from '../ground/ui/layout/colour-scheme-toggle.tsx';
import { LanguageSelect } from '../ground/ui/layout/language-select.tsx';
import { ScrollToTop } from '../ground/ui/layout/scroll-to-top.tsx';
import { CONTENT_ID, SkipLink } from '../ground/ui/layout/skip-link.tsx';
import { styleNonce } from '../ground/ui/style-nonce.ts';
import { startup } from '../traffic/startup/startup.ts';
import '../ground/ui/mantine-all.css';
import { DashboardFooter } from './dashboard-footer.tsx';
import classes from './dashboard-layout.module.css';
import { DashboardSidebar } from './dashboard-sidebar.tsx';
import { UserMenu } from './user-menu.tsx';

// Dialogs lock the page's scrolling with a style element, which needs the nonce.
setNonce(styleNonce());

/** By itself: a page that keeps its search in the address goes there while the reader types. */
const Loading = () => {
  const routing = useRouterState({ select: (state) => state.isLoading });
  const loading = useLoading();
  return (routing || loading) && <LoadingOverlay label={t('layout.loading')} />;
};

const DashboardShell = () => {
  const [menuOpened, menu] = useDisclosure();
  const [leaving, logout] = useDisclosure();
  const menuButton = useRef<HTMLButtonElement>(null);
  const burger = useRef<HTMLButtonElement>(null);
  const zone = useTimeZone();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const closeMenu = menu.close;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the page changes.
  useEffect(closeMenu, [path]);

  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !menuOpened) return;
    closeMenu();
    burger.current?.focus();
  });

  return (
    <AppShell
      header={{ height: 64 }}
      navbar={{ width: 264, breakpoint: 'sm', collapsed: { mobile: !menuOpened } }}
      padding={0}
      classNames={{ header: classes.header, navbar: classes.navbar, main: classes.main }}
    >
      <SkipLink label={t('layout.skip')} />
      <AppShell.Header>
        <Burger
          ref={burger}
          opened={menuOpened}
          onClick={menu.toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={menuOpened ? t('layout.close_menu') : t('layout.open_menu')}
          aria-expanded={menuOpened}
        />
        <Link to="/" className={classes.brand} aria-label={PRODUCT_NAME}>
          <BrandMark size={32} className={classes.mark} />
          <span className={classes.word}>{PRODUCT_NAME}</span>
        </Link>
        <div className={classes.tools}>
          <LanguageSelect languages={startup().languages} />
          <ColourSchemeToggle toDark={t('layout.to_dark')} toLight={t('layout.to_light')} />
          <UserMenu ref={menuButton} onLogout={logout.open} />
        </div>
      </AppShell.Header>
      <AppShell.Navbar
        component="nav"
        aria-label={t('layout.navigation')}
        data-closed={menuOpened ? undefined : true}
      >
        <DashboardSidebar />
      </AppShell.Navbar>
      <AppShell.Main id={CONTENT_ID} tabIndex={-1}>
        <div className={classes.content}>
          {/* A page that was rendered before the profile brought the account's time zone is rendered again. */}
          <Fragment key={zone}>
            <ViewBanner />
            <Outlet />
          </Fragment>
          <Loading />
        </div>
        <DashboardFooter />
      </AppShell.Main>
      <ScrollToTop label={t('layout.scroll_to_top')} />
      <LogoutDialog opened={leaving} onClose={logout.close} onClosed={() => menuButton.current?.focus()} />
    </AppShell>
  );
};

/** At the bottom, where toasts do not cover the buttons in a page's head. */
const Toasts = () => {
  const narrow = useMediaQuery('(max-width: 48em)');
  return <Notifications position={narrow ? 'bottom-center' : 'bottom-right'} />;
};

export const DashboardLayout = () => (
  <QueryClientProvider client={queryClient}>
    <Toasts />
    <DashboardShell />
  </QueryClientProvider>
);
