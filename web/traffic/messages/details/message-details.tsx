import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatExactAmount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { CancelWaiting } from '../../../ground/message-status/cancel-waiting.tsx';
import { StatusTag } from '../../../ground/message-status/status-tag.tsx';
import { Panel } from '../../../ground/ui/layout/panel.tsx';
import { Tag } from '../../../ground/ui/tag.tsx';
import { namedText } from '../list/named-text.ts';
import type { ListedMessage } from '../search/list-query.ts';
import { ContentParts } from './content-parts.tsx';
import { Conversation } from './conversation.tsx';
import type { ConversationParty, Timeline as TimelineAnswer } from './details-query.ts';
import classes from './message-details.module.css';
import { TimelineSteps } from './timeline.tsx';

const numberOf = (code: string, number: string): string => (code ? `${code} ${number}` : number);

/** The other party's number has the name that the account gave it: of what goes out the one that it goes to. */
const named = ({ type, contactName }: ListedMessage, other: ListedMessage['type'], number: string): string =>
  type === other ? namedText(contactName, number) : number;

/** The other party; undefined if it is not known. */
export const partyOf = (message: ListedMessage): ConversationParty | undefined => {
  const { accountId, channel } = message;
  const phone =
    message.type === 'incoming'
      ? `${message.fromPhoneCountryCode}${message.fromPhoneNumber}`
      : `${message.phoneCountryCode}${message.phoneNumber}`;
  return phone === '' ? undefined : { accountId, channel, phone };
};

const Fact = ({ label, value }: { label: string; value: string }) =>
  value !== '' && (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );

const Facts = ({ message, admin }: { message: ListedMessage; admin: boolean }) => (
  <dl className={classes.facts}>
    <Fact label={t('messages.id')} value={message._id} />
    <Fact label={t('messages.identifier')} value={message.identifier ?? ''} />
    <Fact
      label={t('messages.direction')}
      value={message.type === 'incoming' ? t('messages.inbound') : t('messages.outbound')}
    />
    <Fact label={t('messages.channel')} value={t(`send.channel.${message.channel}`)} />
    <Fact
      label={t('details.to')}
      value={named(message, 'outgoing', numberOf(message.phoneCountryCode, message.phoneNumber))}
    />
    <Fact
      label={t('details.from')}
      value={named(message, 'incoming', numberOf(message.fromPhoneCountryCode, message.fromPhoneNumber))}
    />
    {message.type === 'outgoing' && (
      <Fact
        label={t('details.price')}
        value={t('send.segments_and_price', {
          segments: message.segment,
          price: formatExactAmount(message.price),
        })}
      />
    )}
    {message.batchId && (
      <div>
        <dt>{t('details.batch')}</dt>
        <dd>
          <Link to="/dashboard/messages/batches/$batchId" params={{ batchId: message.batchId }}>
            {message.batchId}
          </Link>
        </dd>
      </div>
    )}
    <Fact label={t('content.template')} value={message.templateName ?? ''} />
    <Fact label={t('content.file_name')} value={message.fileName ?? message.media?.fileName ?? ''} />
    {[message.image, message.video, message.file].map(
      (url) => url && <Fact key={url} label={t('content.address')} value={url} />,
    )}
    <Fact label={t('content.reply')} value={message.quotedMessage ?? ''} />
    {admin && <Fact label={t('messages.account')} value={message.accountEmail ?? message.accountId} />}
    <Fact label={t('messages.provider')} value={message.job.provider ?? ''} />
    <Fact label={t('details.provider_id')} value={message.job.providerMessageId ?? ''} />
  </dl>
);

interface MessageDetailsProps {
  timeline: TimelineAnswer;
  admin: boolean;
  /** Whether the message belongs to the reader's own account; an admin may read others'. */
  own: boolean;
  /** The events that were posted to a webhook. */
  deliveries: ReactNode;
  /** A link to write to the other party. */
  write: ReactNode;
}

/** Everything that is known about one message. */
export const MessageDetails = ({ timeline, admin, own, deliveries, write }: MessageDetailsProps) => {
  const { message, steps, waiting } = timeline;
  const party = partyOf(message);
  return (
    <div className={classes.whole}>
      <div className={classes.columns}>
        <div className={classes.panels}>
          <Panel title={t('details.text')}>
            <p className={classes.status}>
              <StatusTag status={message.status} admin={admin} />
              {message.test && <Tag tone="brass">{t('send.test')}</Tag>}
              {message.reason && <span>{message.reason}</span>}
            </p>
            <ContentParts message={message} />
            {message.subject && <p className={classes.subject}>{message.subject}</p>}
            <p className={classes.text}>{message.message}</p>
            <div className={classes.tools}>
              {own && waiting && waiting.why !== 'UNKNOWN' && <CancelWaiting messageId={message._id} />}
              {write}
            </div>
          </Panel>
          <Panel title={t('details.timeline')}>
            <TimelineSteps steps={steps} waiting={waiting} />
          </Panel>
          {deliveries}
          <Panel title={t('details.facts')}>
            <Facts message={message} admin={admin} />
          </Panel>
        </div>
        {party && <Conversation party={party} opened={message} />}
      </div>
    </div>
  );
};
