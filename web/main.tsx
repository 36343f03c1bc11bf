import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { activeLanguage, LANGUAGE_TAGS } from './ground/i18n/language.ts';
import { styleNonce } from './ground/ui/style-nonce.ts';
import { isAdminGuard } from './guards.ts';
import { router } from './router.ts';
import { loadStartup } from './traffic/startup/startup.ts';
import { StartupFailure } from './traffic/startup/startup-failure.tsx';
import './ground/ui/global.css';
import { theme } from './ground/ui/theme.ts';

const container = document.getElementById('root');
if (!container) throw new Error('The page has no root element.');
document.documentElement.lang = LANGUAGE_TAGS[activeLanguage()].html;

/** Fetches the code of the first page while the texts are still loading; an admin's page only after its guard. */
const fetchFirstPage = () => {
  for (const match of router.matchRoutes(router.latestLocation)) {
    const route = router.routesById[match.routeId as keyof typeof router.routesById];
    if (isAdminGuard(route.options.beforeLoad)) return;
    void router.loadRouteChunk(route)?.catch(() => undefined);
  }
};

const root = createRoot(container);

const render = (content: ReactNode) =>
  root.render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
        {content}
      </MantineProvider>
    </StrictMode>,
  );

const start = async () => {
  try {
    await loadStartup();
    render(<RouterProvider router={router} />);
  } catch {
    render(<StartupFailure onRetry={start} />);
  }
};

fetchFirstPage();
void start();
