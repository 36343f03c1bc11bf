import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PRODUCT_NAME } from '../../contract/ground/constants.ts';
import { t } from '../ground/i18n/translate.ts';
import { useLoading } from '../ground/ui/feedback/loading.ts';
import { ProgressLine } from '../ground/ui/feedback/progress-line.tsx';
import { focusNewContent } from '../ground/ui/layout/skip-link.tsx';

/** What every route shares: the title, the progress line, and where the focus goes after a change. */
export const Root = () => {
  const router = useRouter();
  const routing = useRouterState({ select: (state) => state.isLoading });
  const loading = useLoading();
  const title = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.title });

  useEffect(() => {
    if (title) document.title = `${title()} - ${PRODUCT_NAME}`;
  }, [title]);

  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // The focus goes to the start of a page that opens; the very first page keeps the browser's own order.
        if (fromLocation && pathChanged) focusNewContent();
      }),
    [router],
  );

  return (
    <>
      {(routing || loading) && <ProgressLine label={t('layout.loading')} />}
      <Outlet />
    </>
  );
};
