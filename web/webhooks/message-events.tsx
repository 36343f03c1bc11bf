import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Panel } from '../ui/panel.tsx';
import { EventAnswer, EventStateTag } from './event-answer.tsx';
import type { WebhookEvent } from './webhook-queries.ts';
import classes from './webhooks.module.css';

interface MessageEventsProps {
  events: WebhookEvent[];
  /** Formats times as the rest of the page does. */
  momentOf: (iso: string) => string;
  tools?: ReactNode;
}

/** The webhook events of a message, and their answers. */
export const MessageEvents = ({ events, momentOf, tools }: MessageEventsProps) => (
  <Panel title={t('details.events')} tools={events.length > 0 && tools}>
    {events.length === 0 ? (
      <p className={classes.quiet}>{t('details.events_none')}</p>
    ) : (
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('events.time')}</th>
            <th scope="col">{t('events.type')}</th>
            <th scope="col">{t('events.state')}</th>
            <th scope="col" className={classes.aside}>
              {t('events.answer')}
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event._id}>
              <td>
                <time className={classes.time} dateTime={event.createdAt}>
                  {momentOf(event.createdAt)}
                </time>
              </td>
              <td>
                {t(`events.type.${event.type}`)}
                <div className={classes.below}>
                  <EventAnswer event={event} />
                </div>
              </td>
              <td>
                <EventStateTag event={event} />
              </td>
              <td className={`${classes.aside} ${classes.time}`}>
                <EventAnswer event={event} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Panel>
);
