import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AccountId, Profile } from '../../contract/accounts.ts';
import { profileQuery } from '../accounts/profile-query.ts';
import { t } from '../i18n/translate.ts';
import { oneQuery } from '../messages/list-query.ts';
import { MessageDetails as Details } from '../messages/message-details.tsx';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { MessagesTabs } from './messages-tabs.tsx';

const route = getRouteApi('/dashboard/messages/details/$messageId');

const Found = ({ profile: { _id, admin } }: { profile: Profile & { _id: AccountId } }) => {
  const { messageId } = route.useParams();
  const found = useQuery(oneQuery(_id, messageId));
  if (found.isError)
    return (
      <LoadFailure
        text={t('details.failed')}
        reason={found.error.message}
        tryAgain={t('layout.try_again')}
        retrying={found.isFetching}
        onRetry={found.refetch}
      />
    );
  if (found.isPending) return <Skeleton height={320} radius="md" />;
  const [message] = found.data.messages;
  return message ? <Details message={message} admin={admin} /> : <Notice title={t('details.none')} alert />;
};

export const MessageDetails = () => {
  const { data: profile } = useQuery(profileQuery);
  return (
    <>
      <PageTitle title={t('details.title')} />
      <MessagesTabs />
      {profile ? <Found profile={profile} /> : <Skeleton height={320} radius="md" />}
    </>
  );
};
