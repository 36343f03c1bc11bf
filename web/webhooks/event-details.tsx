import { Button, Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AccountId } from '../../contract/accounts.ts';
import { formatDateTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { LoadFailure } from '../ui/load-failure.tsx';
import { EventAnswer, EventStateTag } from './event-answer.tsx';
import { eventQuery, type WebhookEvent } from './webhook-queries.ts';
import classes from './webhooks.module.css';

interface EventDetailsProps {
  accountId: AccountId;
  /** The event that was opened last, so that it stays visible while the dialog fades out. */
  event: WebhookEvent;
  opened: boolean;
  onClose: () => void;
  onReplay: (event: WebhookEvent) => void;
}

const readable = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
};

const Content = ({ accountId, event }: Pick<EventDetailsProps, 'accountId' | 'event'>) => {
  const whole = useQuery({ ...eventQuery(accountId, event._id), refetchOnMount: 'always' });
  const shown = whole.data?.event ?? event;
  return (
    <div className={classes.stack}>
      <dl className={classes.facts}>
        <dt>{t('events.id')}</dt>
        <dd className={classes.code}>evt_{shown._id}</dd>
        <dt>{t('events.type')}</dt>
        <dd>{t(`events.type.${shown.type}`)}</dd>
        <dt>{t('events.state')}</dt>
        <dd>
          <EventStateTag event={shown} />
        </dd>
        <dt>{t('events.answer')}</dt>
        <dd>
          <EventAnswer event={shown} />
        </dd>
      </dl>
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

export const EventDetails = ({ accountId, event, opened, onClose, onReplay }: EventDetailsProps) => (
  <Dialog
    opened={opened}
    onClose={onClose}
    title={t('events.details', { time: formatDateTime(event.createdAt) })}
    close={t('layout.close')}
  >
    <Content accountId={accountId} event={event} />
    <Group justify="flex-end" mt="lg">
      <Button variant="default" onClick={onClose}>
        {t('layout.close')}
      </Button>
      <Button
        onClick={() => {
          onReplay(event);
          onClose();
        }}
      >
        {t('events.replay')}
      </Button>
    </Group>
  </Dialog>
);
