import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Profile } from '../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Notice } from '../../ground/ui/feedback/notice.tsx';
import {
  type ConversationParty,
  isMissingMessage,
  type Timeline,
  timelineQuery,
} from '../../traffic/messages/details/details-query.ts';
import { MessageDetails, partyOf } from '../../traffic/messages/details/message-details.tsx';
import { formatSecond } from '../../traffic/messages/search/days.ts';
import { MessageEvents } from '../../traffic/webhooks/message-events.tsx';

const Write = ({ party: { phone, channel } }: { party: ConversationParty }) => (
  <Link to="/dashboard/messages/send" search={{ phone, channel }}>
    {channel === 'email' ? t('details.write_address') : t('details.write_number')}
  </Link>
);

const Deliveries = ({ timeline: { events, message }, own }: { timeline: Timeline; own: boolean }) => (
  <MessageEvents
    events={events}
    momentOf={formatSecond}
    tools={
      own && (
        <Link to="/dashboard/integration/events" search={{ messageId: message._id }}>
          {t('details.events_all')}
        </Link>
      )
    }
  />
);

interface MessageViewProps {
  messageId: MessageId;
  reader: Pick<Profile, '_id' | 'admin'>;
}

/** All that is known about a message, on its own page and beside the list. */
export const MessageView = ({ messageId, reader: { _id, admin } }: MessageViewProps) => {
  const { data: timeline, isError, error, isFetching, refetch } = useQuery(timelineQuery(messageId));
  if (isError && isMissingMessage(error))
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
    <MessageDetails
      timeline={timeline}
      admin={admin}
      own={own}
      deliveries={<Deliveries timeline={timeline} own={own} />}
      write={own && party && <Write party={party} />}
    />
  );
};
