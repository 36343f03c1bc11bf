import { Button, Skeleton } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import { call } from '../api/call.ts';
import { profileQuery } from '../api/profile-query.ts';
import { storedAccountId } from '../api/session.ts';
import { t } from '../i18n/translate.ts';
import { ConfirmPassword } from '../integration/confirm-password.tsx';
import { LoadFailure } from '../ui/load-failure.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { useSave } from '../ui/use-save.ts';
import { EndpointPanel } from '../webhooks/endpoint-panel.tsx';
import { readEventFilter } from '../webhooks/event-kinds.ts';
import { EventsPanel } from '../webhooks/events-panel.tsx';
import { endpointQuery } from '../webhooks/webhook-queries.ts';
import { IntegrationTabs } from './integration-tabs.tsx';
import classes from './webhook-events.module.css';

const route = getRouteApi('/dashboard/integration/events');

const settingsLink = (label: string) => <Link to="/dashboard/settings">{label}</Link>;

const Panels = ({ accountId }: { accountId: AccountId }) => {
  const filter = readEventFilter(route.useSearch());
  const navigate = route.useNavigate();
  const endpoint = useQuery({ ...endpointQuery(accountId), refetchOnMount: 'always' });
  /** What goes on once the password was typed. */
  const [pending, setPending] = useState<{ goOn: () => void }>();
  const test = useSave(() => call('POST /account/:accountId/webhook/test', { params: { accountId } }));
  return (
    <>
      <PageTitle title={t('events.title')}>
        {endpoint.data?.url && (
          <div className={classes.buttons}>
            <Button
              leftSection={<IconSend size={18} aria-hidden="true" />}
              loading={test.isPending}
              onClick={() => test.mutate(undefined)}
            >
              {t('events.test')}
            </Button>
          </div>
        )}
      </PageTitle>
      <IntegrationTabs />
      <div className={classes.panels}>
        {endpoint.isPending && <Skeleton height={220} radius="md" />}
        {endpoint.isError && (
          <LoadFailure
            text={t('events.endpoint_failed')}
            reason={endpoint.error.message}
            tryAgain={t('layout.try_again')}
            onRetry={endpoint.refetch}
          />
        )}
        {endpoint.data && (
          <EndpointPanel
            accountId={accountId}
            endpoint={endpoint.data}
            settings={settingsLink}
            onUnmask={(goOn) => setPending({ goOn })}
          />
        )}
        <ConfirmPassword
          accountId={accountId}
          opened={pending !== undefined}
          onClose={() => setPending(undefined)}
          onConfirmed={() => {
            pending?.goOn();
            setPending(undefined);
          }}
        />
        <EventsPanel
          accountId={accountId}
          filter={filter}
          onFilter={(chosen) =>
            void navigate({ search: (now) => ({ ...now, ...chosen }), replace: true, resetScroll: false })
          }
        />
      </div>
    </>
  );
};

export const WebhookEvents = () => {
  const profile = useQuery(profileQuery);
  // Another tab may have stored only a token; the profile then says whose it is.
  const accountId = storedAccountId() ?? profile.data?._id;
  if (accountId) return <Panels accountId={accountId} />;
  return (
    <>
      <PageTitle title={t('events.title')} />
      <IntegrationTabs />
      {profile.isError ? (
        <LoadFailure
          text={t('profile.failed')}
          reason={profile.error.message}
          tryAgain={t('layout.try_again')}
          onRetry={profile.refetch}
        />
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </>
  );
};
