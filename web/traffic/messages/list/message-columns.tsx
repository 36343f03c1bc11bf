import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import type { MessageSort } from '../../../../contract/traffic/message-search.ts';
import { formatExactAmount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { StatusTag } from '../../../ground/message-status/status-tag.tsx';
import type { Column } from '../../../ground/ui/data-list/column.ts';
import { Tag } from '../../../ground/ui/tag.tsx';
import { ContentCaption } from '../details/content-caption.tsx';
import { formatSecond } from '../search/days.ts';
import type { ListedMessage } from '../search/list-query.ts';
import { CopyBadge } from './copy-badge.tsx';
import { durationText, durationTone } from './duration-tag.ts';
import classes from './message-cells.module.css';
import { namedText } from './named-text.ts';
import { shortId } from './short-id.ts';

/** As much as the widest window shows; the panel beside the list has the whole text. */
const EXCERPT_LENGTH = 300;

export interface Party {
  countryCode: string;
  number: string;
}

export interface MessageActs {
  onParty: (party: Party) => void;
  onOpen: (path: string) => void;
}

const numberText = ({ countryCode, number }: Party) => (countryCode ? `${countryCode} ${number}` : number);

export const detailsPath = (message: ListedMessage) => `/dashboard/messages/details/${message._id}`;

const Identifier = ({ message, onOpen }: { message: ListedMessage } & Pick<MessageActs, 'onOpen'>) => {
  const path = detailsPath(message);
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(path);
  };
  const job = message.job._id;
  return (
    <>
      <a href={path} className={classes.id} title={message._id} onClick={open}>
        {shortId(message._id)}
      </a>
      <CopyBadge value={job} label={t('messages.copy_job', { id: job })} />
    </>
  );
};

const Direction = ({ message, onParty }: { message: ListedMessage } & Pick<MessageActs, 'onParty'>) => {
  const to = { countryCode: message.phoneCountryCode, number: message.phoneNumber };
  const from = { countryCode: message.fromPhoneCountryCode, number: message.fromPhoneNumber };
  const incoming = message.type === 'incoming';
  const [own, other] = incoming ? [to, from] : [from, to];
  const Icon = incoming ? IconArrowLeft : IconArrowRight;
  // Without a sender of its own it goes out by whichever number its carrier has.
  const ownText = numberText(own) || t('messages.shared_sender');
  return (
    <span className={classes.direction}>
      <span className={classes.quiet} title={ownText}>
        {ownText}
      </span>
      <span className={classes.arrow} data-incoming={incoming || undefined}>
        <Icon size={16} aria-hidden="true" />
        <span className="visually-hidden">{incoming ? t('messages.inbound') : t('messages.outbound')}</span>
      </span>
      {other.number && (
        <button
          type="button"
          className={classes.party}
          title={`${namedText(message.contactName, numberText(other))}\n${t('messages.filter_party')}`}
          onClick={() => onParty(other)}
        >
          {message.contactName || numberText(other)}
          {message.contactName && <span className="visually-hidden"> {numberText(other)}</span>}
        </button>
      )}
    </span>
  );
};

/** When a message that waits for its time is due: the time, or the day if it is another one. */
const Due = ({ at }: { at: string }) => {
  const [day = '', time = ''] = formatSecond(at).split(' ');
  const [today] = formatSecond(new Date().toISOString()).split(' ');
  const whole = t('send.later.at', { time: `${day} ${time}` });
  return (
    <Tag tone="plain">
      <time dateTime={at} title={whole}>
        <span className="visually-hidden">{whole}</span>
        <span aria-hidden="true">{day === today ? time.slice(0, 5) : day.slice(5)}</span>
      </time>
    </Tag>
  );
};

const isDue = ({ status, sendAt }: ListedMessage): boolean =>
  status === 'PENDING' && sendAt !== null && Date.parse(sendAt) > Date.now();

const Status = ({ message, admin }: { message: ListedMessage; admin: boolean }) => {
  const { status, duration, reason, sendAt } = message;
  return (
    <span className={classes.status} title={reason ?? undefined}>
      <StatusTag status={status} admin={admin} />
      {sendAt && isDue(message) && <Due at={sendAt} />}
      {duration !== null && (
        <Tag tone={durationTone(duration)}>
          <span className="visually-hidden">{t('messages.duration')} </span>
          {durationText(duration)}
        </Tag>
      )}
    </span>
  );
};

const Channel = ({ message: { channel, test } }: { message: ListedMessage }) => (
  <span className={classes.tags}>
    {t(`send.channel.${channel}`)}
    {test && <Tag tone="brass">{t('send.test')}</Tag>}
  </span>
);

const Moment = ({ at }: { at: string }) => <time dateTime={at}>{formatSecond(at)}</time>;

const Text = ({ message }: { message: ListedMessage }) => (
  <>
    <ContentCaption message={message} />
    {message.subject && <strong>{message.subject} </strong>}
    {message.message.slice(0, EXCERPT_LENGTH)}
  </>
);

type MessageColumn = Column<ListedMessage> & { id: MessageSort | (string & {}); admin?: true };

/** Up to the text, as far as the reader does not take them away. */
const firstColumns = (admin: boolean, { onParty, onOpen }: MessageActs): MessageColumn[] => [
  {
    id: '_id',
    label: () => t('messages.id'),
    cell: (message) => <Identifier message={message} onOpen={onOpen} />,
    width: 6.75,
    sort: 'asc',
    choice: 'shown',
  },
  {
    id: 'type',
    label: () => t('messages.direction'),
    cell: (message) => <Direction message={message} onParty={onParty} />,
    width: 8.5,
    max: 15,
    sort: 'asc',
    line: 1,
  },
  {
    id: 'status',
    label: () => t('messages.status'),
    cell: (message) => <Status message={message} admin={admin} />,
    width: 9.5,
    sort: 'asc',
    line: 1,
  },
  {
    id: 'createdAt',
    label: () => t('messages.created'),
    cell: ({ createdAt }) => <Moment at={createdAt} />,
    width: 7.75,
    sort: 'desc',
    line: 2,
  },
  {
    id: 'updatedAt',
    label: () => t('messages.updated'),
    cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    width: 7.75,
    sort: 'desc',
    choice: 'shown',
    admin: true,
  },
  {
    id: 'channel',
    label: () => t('messages.channel'),
    cell: (message) => <Channel message={message} />,
    width: 7.25,
    sort: 'asc',
    choice: 'shown',
  },
  {
    id: 'message',
    label: () => t('messages.message'),
    cell: (message) => <Text message={message} />,
    width: 5.5,
    grow: 2,
    line: 2,
  },
];

/** After the text: those that the reader may add. */
const FURTHER_COLUMNS: MessageColumn[] = [
  {
    id: 'account',
    label: () => t('messages.account'),
    cell: ({ accountEmail }) => <span title={accountEmail ?? undefined}>{accountEmail}</span>,
    // Little, so that a window of 1440 pixels has room for a column that is chosen besides.
    width: 3,
    grow: 1,
    choice: 'shown',
    admin: true,
  },
  {
    id: 'phone',
    label: () => t('messages.phone'),
    cell: ({ job }) => job.phoneName ?? job.deviceId,
    width: 7,
    choice: 'hidden',
    admin: true,
  },
  {
    id: 'tags',
    label: () => t('messages.tags'),
    cell: ({ tags }) => <span title={tags.join(', ') || undefined}>{tags.join(', ')}</span>,
    width: 9,
    choice: 'hidden',
    admin: true,
  },
  {
    id: 'reason',
    label: () => t('send.reason'),
    cell: ({ reason }) => <span className={classes.reason}>{reason}</span>,
    width: 8,
    grow: 1,
    choice: 'hidden',
  },
  {
    id: 'identifier',
    label: () => t('messages.identifier'),
    cell: ({ identifier }) => identifier,
    width: 8,
    choice: 'hidden',
  },
  {
    id: 'carrier',
    label: () => t('messages.carrier'),
    cell: ({ carrierName }) => carrierName,
    width: 6,
    choice: 'hidden',
  },
  {
    id: 'segments',
    label: () => t('send.segments'),
    cell: ({ segment }) => segment,
    width: 4.5,
    kind: 'number',
    choice: 'hidden',
  },
  {
    id: 'price',
    label: () => t('details.price'),
    cell: ({ currency, price }) => `${currency} ${formatExactAmount(price)}`,
    width: 7,
    kind: 'number',
    choice: 'hidden',
  },
  {
    id: 'provider',
    label: () => t('messages.provider'),
    cell: ({ job }) => job.provider,
    width: 8,
    choice: 'hidden',
    admin: true,
  },
];

/** The columns, in the order of the specification. */
export const messageColumns = (admin: boolean, acts: MessageActs): MessageColumn[] =>
  [...firstColumns(admin, acts), ...FURTHER_COLUMNS].filter((column) => admin || !column.admin);
