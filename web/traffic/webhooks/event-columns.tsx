import { IconRepeat } from '@tabler/icons-react';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import controls from '../../ground/ui/controls.module.css';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { EventAnswer, EventStateTag } from './event-answer.tsx';
import type { WebhookEvent } from './webhook-queries.ts';
import classes from './webhooks.module.css';

interface EventActs {
  /** The event that is being sent again. */
  replaying: WebhookEvent['_id'] | undefined;
  onReplay: (event: WebhookEvent) => void;
}

const Replay = ({ event, replaying, onReplay }: EventActs & { event: WebhookEvent }) => {
  const busy = replaying === event._id;
  return (
    <button
      type="button"
      className={controls.icon}
      aria-label={t('events.replay_of', { time: formatDateTime(event.createdAt) })}
      title={t('events.replay')}
      aria-disabled={busy}
      onClick={busy ? undefined : () => onReplay(event)}
    >
      <IconRepeat size={19} aria-hidden="true" />
    </button>
  );
};

/** The columns that a message's own events have too. */
export const sharedColumns = (momentOf: (iso: string) => string): Column<WebhookEvent>[] => [
  {
    id: 'time',
    label: () => t('events.time'),
    cell: ({ createdAt }) => <time dateTime={createdAt}>{momentOf(createdAt)}</time>,
    width: 11.5,
    line: 1,
  },
  {
    id: 'type',
    label: () => t('events.type'),
    cell: ({ type }) => t(`events.type.${type}`),
    width: 9,
    grow: 1,
    line: 2,
  },
  {
    id: 'state',
    label: () => t('events.state'),
    cell: (event) => <EventStateTag event={event} />,
    width: 9,
    grow: 1,
    line: 1,
  },
  {
    id: 'answer',
    label: () => t('events.answer'),
    cell: (event) => <EventAnswer event={event} />,
    width: 12,
    grow: 1,
    line: 2,
  },
];

export const eventColumns = (acts: EventActs): Column<WebhookEvent>[] => {
  const [time, type, ...rest] = sharedColumns(formatDateTime) as [Column<WebhookEvent>, Column<WebhookEvent>];
  return [
    time,
    type,
    {
      id: 'message',
      label: () => t('events.message'),
      cell: ({ messageId }) => <code className={classes.code}>{messageId}</code>,
      width: 8,
      grow: 1,
      choice: 'shown',
    },
    ...rest,
    {
      id: 'actions',
      label: () => t('events.action'),
      cell: (event) => <Replay event={event} {...acts} />,
      width: 4,
      kind: 'actions',
      line: 1,
    },
  ];
};
