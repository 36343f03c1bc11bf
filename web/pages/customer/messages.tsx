import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Profile } from '../../../contract/customer/accounts.ts';
import { profileQuery } from '../../ground/api/profile-query.ts';
import { mayCall } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { MessageList } from '../../traffic/messages/list/message-list.tsx';
import {
  type MessageFilters,
  readFilters,
  writeFilters,
} from '../../traffic/messages/search/message-filters.ts';
import { startup } from '../../traffic/startup/startup.ts';
import { LazyMessageView } from './lazy-message-view.tsx';
import { MessagesTabs } from './messages-tabs.tsx';

const route = getRouteApi('/dashboard/messages');

const carriersOf = () =>
  Object.entries(startup().carrierNameMap).map(([value, { short }]) => ({ value, label: short }));

const Search = ({ profile }: { profile: Profile }) => {
  const { _id } = profile;
  const admin = mayCall(profile, 'GET /account/:accountId/messages');
  const given = route.useSearch({ select: ({ filters }) => filters, structuralSharing: true });
  const navigate = route.useNavigate();
  const router = useRouter();
  const carriers = useMemo(carriersOf, []);
  const { filters, broken } = useMemo(() => readFilters(given, { admin }), [given, admin]);
  const onFilters = useCallback(
    (next: MessageFilters, { replace } = { replace: false }) => {
      const written = writeFilters(next);
      const search = Object.keys(written).length > 0 ? { filters: written } : {};
      void navigate({ search, replace, resetScroll: false });
    },
    [navigate],
  );
  return (
    <MessageList
      accountId={_id}
      admin={admin}
      countries={startup().availableSmsCountryCodes}
      carriers={carriers}
      filters={filters}
      broken={broken}
      onFilters={onFilters}
      onOpen={(path) => void router.navigate({ href: path, state: { list: router.state.location.href } })}
      details={({ _id: messageId }) => <LazyMessageView messageId={messageId} reader={{ _id, admin }} />}
    />
  );
};

export const Messages = () => {
  const { data: profile, isError, error, isFetching, refetch } = useQuery(profileQuery);
  return (
    <div data-wide>
      <PageTitle title={t('route.messages')} />
      <MessagesTabs />
      {profile ? (
        <Search profile={profile} />
      ) : isError ? (
        <LoadFailure
          text={t('messages.failed')}
          reason={error.message}
          tryAgain={t('layout.try_again')}
          retrying={isFetching}
          onRetry={refetch}
        />
      ) : (
        <Skeleton height="70dvh" radius="md" />
      )}
    </div>
  );
};
