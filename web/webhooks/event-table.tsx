import { IconListDetails, IconRepeat } from '@tabler/icons-react';
import { formatDateTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import controls from '../ui/controls.module.css';
import { EventAnswer, EventStateTag } from './event-answer.tsx';
import type { WebhookEvent } from './webhook-queries.ts';
import classes from './webhooks.module.css';

interface EventTableProps {
  events: WebhookEvent[];
  /** The event that is being sent again. */
  replaying: WebhookEvent['_id'] | undefined;
  onOpen: (event: WebhookEvent) => void;
  onReplay: (event: WebhookEvent) => void;
}

type RowProps = Omit<EventTableProps, 'events'> & { event: WebhookEvent };

const Row = ({ event, replaying, onOpen, onReplay }: RowProps) => {
  const time = formatDateTime(event.createdAt);
  const state = <EventStateTag event={event} />;
  const answer = <EventAnswer event={event} />;
  const details = t('events.details', { time });
  const again = t('events.replay_of', { time });
  const busy = replaying === event._id;
  return (
    <tr>
      <td>
        <time className={classes.time} dateTime={event.createdAt}>
          {time}
        </time>
        <div className={classes.below}>{state}</div>
      </td>
      <td>
        {t(`events.type.${event.type}`)}
        {event.messageId && <div className={`${classes.code} ${classes.quiet}`}>{event.messageId}</div>}
        <div className={classes.below}>{answer}</div>
      </td>
      <td className={classes.aside}>{state}</td>
      <td className={classes.aside}>{answer}</td>
      <td className={classes.actions}>
        <button
          type="button"
          className={controls.icon}
          aria-label={details}
          title={t('events.details_button')}
          onClick={() => onOpen(event)}
        >
          <IconListDetails size={19} aria-hidden="true" />
        </button>
        <button
          type="button"
          className={controls.icon}
          aria-label={again}
          title={t('events.replay')}
          aria-disabled={busy}
          onClick={busy ? undefined : () => onReplay(event)}
        >
          <IconRepeat size={19} aria-hidden="true" />
        </button>
      </td>
    </tr>
  );
};

export const EventTable = ({ events, ...rest }: EventTableProps) => (
  <table className={classes.table}>
    <thead>
      <tr>
        <th scope="col">{t('events.time')}</th>
        <th scope="col">{t('events.type')}</th>
        <th scope="col" className={classes.aside}>
          {t('events.state')}
        </th>
        <th scope="col" className={classes.aside}>
          {t('events.answer')}
        </th>
        <th scope="col" className={classes.actions}>
          {t('events.action')}
        </th>
      </tr>
    </thead>
    <tbody>
      {events.map((event) => (
        <Row key={event._id} event={event} {...rest} />
      ))}
    </tbody>
  </table>
);
