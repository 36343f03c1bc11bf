import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../ground/i18n/translate.ts';
import { StatusTag } from '../../../ground/message-status/status-tag.tsx';
import { LoadFailure } from '../../../ground/ui/feedback/load-failure.tsx';
import { Panel } from '../../../ground/ui/layout/panel.tsx';
import { namedText } from '../list/named-text.ts';
import { withOpened } from '../list/with-opened.ts';
import { formatSecond } from '../search/days.ts';
import type { ListedMessage } from '../search/list-query.ts';
import { ContentParts } from './content-parts.tsx';
import classes from './conversation.module.css';
import { type ConversationParty, conversationQuery } from './details-query.ts';

const EXCERPT_LENGTH = 400;
const QUOTED_LENGTH = 120;

interface BubbleProps {
  message: ListedMessage;
  current: boolean;
  /** The text that it answers, if that is in view. */
  quoted: string | undefined;
}

const Bubble = ({ message, current, quoted }: BubbleProps) => {
  const { type, status, subject, createdAt } = message;
  const text = message.message.slice(0, EXCERPT_LENGTH);
  return (
    <li className={classes.place} data-incoming={type === 'incoming' || undefined}>
      <Link
        to="/dashboard/messages/details/$messageId"
        params={{ messageId: message._id }}
        state={(before) => before}
        className={classes.bubble}
      >
        <span className="visually-hidden">
          {type === 'incoming' ? t('messages.inbound') : t('messages.outbound')}{' '}
        </span>
        <ContentParts message={message} quoted={quoted?.slice(0, QUOTED_LENGTH)} plain />
        {subject && <strong className={classes.subject}>{subject}</strong>}
        <span className={classes.text}>
          {text}
          {text.length < message.message.length && '…'}
        </span>
        <span className={classes.foot}>
          <time dateTime={createdAt}>{formatSecond(createdAt)}</time>
          {status !== 'SUCCESS' && <StatusTag status={status} />}
          {current && <span className={classes.current}>{t('details.this')}</span>}
        </span>
      </Link>
    </li>
  );
};

const textOf = (messages: ListedMessage[], waMessageId: string | null): string | undefined =>
  waMessageId === null ? undefined : messages.find((one) => one.waMessageId === waMessageId)?.message;

/** The messages exchanged with the other party, the newest last. */
export const Conversation = ({ party, opened }: { party: ConversationParty; opened: ListedMessage }) => {
  const found = useInfiniteQuery(conversationQuery(party));
  const listed = found.data?.pages.flatMap((page) => page.messages);
  const messages = listed ? withOpened({ found: listed, more: found.hasNextPage, opened }).toReversed() : [];
  return (
    <Panel title={t('details.conversation')}>
      <p className={classes.party}>
        {t('details.conversation_with', { party: namedText(opened.contactName, party.phone) })}
      </p>
      {found.isPending && <Skeleton height={220} radius="md" />}
      {found.isError && (
        <LoadFailure
          text={t('details.conversation_failed')}
          reason={found.error.message}
          tryAgain={t('layout.try_again')}
          retrying={found.isFetching}
          onRetry={() => void found.refetch()}
        />
      )}
      {found.hasNextPage && (
        <div className={classes.earlier}>
          <Button
            variant="default"
            size="compact-md"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t('details.earlier')}
          </Button>
        </div>
      )}
      {found.isSuccess && messages.length === 0 && (
        <p className={classes.party}>{t('details.conversation_none')}</p>
      )}
      {messages.length > 0 && (
        <ol className={classes.bubbles}>
          {messages.map((message) => (
            <Bubble
              key={message._id}
              message={message}
              current={message._id === opened._id}
              quoted={textOf(messages, message.quotedMessage)}
            />
          ))}
        </ol>
      )}
    </Panel>
  );
};
