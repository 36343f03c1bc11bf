import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../ground/api/call.ts';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { endSession } from '../../ground/api/session.ts';
import { formatTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { whileLoading } from '../../ground/ui/feedback/loading.ts';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import classes from './view-banner.module.css';

const AllowChanges = lazy(() =>
  import('./allow-changes.tsx').then((module) => ({ default: module.AllowChanges })),
);

/** The session ends by itself soon, if the server can't be told. */
const end = async () => {
  await call('POST /account/logout').catch(() => {});
  endSession('left');
};

/** Above every page, while an admin sees the account as its owner does. */
export const ViewBanner = () => {
  const { data: profile } = useQuery(profileQuery);
  const [asking, setAsking] = useState(false);
  if (!profile?.view) return null;
  const { mayChange, until } = profile.view;
  const time = formatTime(until);
  return (
    <div className={classes.banner}>
      <Notice
        alert
        title={t('view.title', { email: profile.email })}
        text={mayChange ? t('view.changes', { time }) : t('view.reads', { time })}
      >
        <Group gap="xs" mt="xs">
          <Button size="xs" onClick={() => void whileLoading(end)}>
            {t('view.end')}
          </Button>
          {!mayChange && (
            <Button size="xs" variant="default" onClick={() => setAsking(true)}>
              {t('view.allow')}
            </Button>
          )}
        </Group>
        {asking && (
          <Suspense>
            <AllowChanges account={profile} onClose={() => setAsking(false)} />
          </Suspense>
        )}
      </Notice>
    </div>
  );
};
