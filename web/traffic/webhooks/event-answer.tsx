import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import type { WebhookEvent } from './webhook-queries.ts';
import classes from './webhooks.module.css';

const TONES: Record<WebhookEvent['state'], Tone> = {
  WAITING: 'plain',
  RETRYING: 'wait',
  DELIVERED: 'good',
  PARKED: 'bad',
};

/** A short text: the status, or why there was none. */
const answerText = ({ answer }: WebhookEvent): string => {
  if (!answer) return t('events.no_answer');
  if (answer.fault) return t(`events.fault.${answer.fault}`, { status: answer.status ?? '' });
  return String(answer.status);
};

export const EventStateTag = ({ event }: { event: WebhookEvent }) => (
  <>
    <Tag tone={TONES[event.state]}>{t(`events.state.${event.state}`)}</Tag>
    {event.state === 'RETRYING' && event.nextAt && (
      <span className={classes.quiet}> {t('events.next', { time: formatDateTime(event.nextAt) })}</span>
    )}
  </>
);

export const EventAnswer = ({ event }: { event: WebhookEvent }) => (
  <>
    <span>{answerText(event)}</span>
    {event.answer && (
      <span className={classes.quiet}>
        {' · '}
        {t('events.milliseconds', { count: event.answer.milliseconds })}
        {' · '}
        {t('events.attempts', { count: event.attempts })}
      </span>
    )}
  </>
);
