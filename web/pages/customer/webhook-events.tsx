import { Button, Skeleton } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { ConfirmPassword } from '../../customer/integration/confirm-password.tsx';
import { call } from '../../ground/api/call.ts';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { storedAccountId } from '../../ground/api/session.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { EndpointPanel } from '../../traffic/webhooks/endpoint-panel.tsx';
import { readEventFilter } from '../../traffic/webhooks/event-kinds.ts';
import { EventsPanel } from '../../traffic/webhooks/events-panel.tsx';
import { endpointQuery } from '../../traffic/webhooks/webhook-queries.ts';
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
