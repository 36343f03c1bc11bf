import type { ReactNode } from 'react';
import { formatMoment } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Panel } from '../ui/panel.tsx';
import { EventAnswer, EventStateTag } from './event-answer.tsx';
import type { WebhookEvent } from './webhook-queries.ts';
import classes from './webhooks.module.css';

/** What a webhook was told of a message, and what it answered. */
export const MessageEvents = ({ events, tools }: { events: WebhookEvent[]; tools?: ReactNode }) => (
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
                <time dateTime={event.createdAt}>{formatMoment(event.createdAt)}</time>
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
              <td className={classes.aside}>
                <EventAnswer event={event} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Panel>
);
