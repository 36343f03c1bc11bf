import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { EventAnswer, EventStateTag } from './event-answer.tsx';
import { eventQuery, type WebhookEvent } from './webhook-queries.ts';
import classes from './webhooks.module.css';

interface EventDetailsProps {
  accountId: AccountId;
  event: WebhookEvent;
  onReplay: (event: WebhookEvent) => void;
}

const readable = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
};

/** All of an event, for the panel beside the list. */
export const EventDetails = ({ accountId, event, onReplay }: EventDetailsProps) => {
  const whole = useQuery({ ...eventQuery(accountId, event._id), refetchOnMount: 'always' });
  const shown = whole.data?.event ?? event;
  return (
    <div className={classes.stack}>
      <div className={classes.tools}>
        <Button size="xs" onClick={() => onReplay(event)}>
          {t('events.replay')}
        </Button>
      </div>
      <Facts
        facts={[
          { label: t('events.id'), value: <code className={classes.code}>evt_{shown._id}</code> },
          { label: t('events.type'), value: t(`events.type.${shown.type}`) },
          { label: t('events.state'), value: <EventStateTag event={shown} /> },
          { label: t('events.answer'), value: <EventAnswer event={shown} /> },
          { label: t('events.message'), value: shown.messageId },
        ]}
      />
      {shown.answer?.body && (
        <section>
          <h3 className={classes.label}>{t('events.answer_body')}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
          <pre className={classes.pre} tabIndex={0}>
            {shown.answer.body}
          </pre>
        </section>
      )}
      <section>
        <h3 className={classes.label}>{t('events.payload')}</h3>
        {whole.isPending && <Skeleton height={160} radius="md" />}
        {whole.isError && (
          <LoadFailure
            text={t('events.failed')}
            reason={whole.error.message}
            tryAgain={t('layout.try_again')}
            onRetry={whole.refetch}
          />
        )}
        {whole.data && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
          <pre className={classes.pre} tabIndex={0}>
            {readable(whole.data.payload)}
          </pre>
        )}
      </section>
    </div>
  );
};
