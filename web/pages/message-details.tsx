import { Skeleton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation, useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { Profile } from '../../contract/accounts.ts';
import type { MessageId } from '../../contract/messages.ts';
import { profileQuery } from '../accounts/profile-query.ts';
import { t } from '../i18n/translate.ts';
import { formatMoment } from '../messages/days.ts';
import { isMissing, type Party, type Timeline, timelineQuery } from '../messages/details-query.ts';
import { MessageDetails as Details, partyOf } from '../messages/message-details.tsx';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { MessageEvents } from '../webhooks/message-events.tsx';
import classes from './message-details.module.css';
import { MessagesTabs } from './messages-tabs.tsx';

const route = getRouteApi('/dashboard/messages/details/$messageId');
const LIST = '/dashboard/messages';

/** A link back to the list with the filters that it had. */
const Back = () => {
  const router = useRouter();
  const list = useLocation({ select: ({ state }) => state.list });
  const href = list?.startsWith(LIST) ? list : LIST;
  const leave = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return (
    <a href={href} className={classes.back} onClick={leave}>
      <IconArrowLeft size={18} aria-hidden="true" />
      {t('details.back')}
    </a>
  );
};

const Write = ({ party: { phone, channel } }: { party: Party }) => (
  <Link to="/dashboard/messages/send" search={{ phone, channel }}>
    {channel === 'email' ? t('details.write_address') : t('details.write_number')}
  </Link>
);

const Deliveries = ({ timeline: { events, message }, own }: { timeline: Timeline; own: boolean }) => (
  <MessageEvents
    events={events}
    momentOf={formatMoment}
    tools={
      own && (
        <Link to="/dashboard/integration/events" search={{ messageId: message._id }}>
          {t('details.events_all')}
        </Link>
      )
    }
  />
);

const Found = ({ profile: { _id, admin } }: { profile: Profile }) => {
  const { messageId } = route.useParams();
  const {
    data: timeline,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery(timelineQuery(messageId as MessageId));
  if (isError && isMissing(error))
    return <Notice title={t('details.none')} text={t('details.none_hint')} alert />;
  if (isError && !timeline)
    return (
      <LoadFailure
        text={t('details.failed')}
        reason={error.message}
        tryAgain={t('layout.try_again')}
        retrying={isFetching}
        onRetry={refetch}
      />
    );
  if (!timeline) return <Skeleton height={420} radius="md" />;
  const own = timeline.message.accountId === _id;
  const party = partyOf(timeline.message);
  return (
    <Details
      timeline={timeline}
      admin={admin}
      own={own}
      deliveries={<Deliveries timeline={timeline} own={own} />}
      write={own && party && <Write party={party} />}
    />
  );
};

export const MessageDetails = () => {
  const { data: profile, isError, error, isFetching, refetch } = useQuery(profileQuery);
  return (
    <>
      <PageTitle title={t('details.title')} />
      <MessagesTabs />
      <Back />
      {profile ? (
        <Found profile={profile} />
      ) : isError ? (
        <LoadFailure
          text={t('details.failed')}
          reason={error.message}
          tryAgain={t('layout.try_again')}
          retrying={isFetching}
          onRetry={refetch}
        />
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </>
  );
};
