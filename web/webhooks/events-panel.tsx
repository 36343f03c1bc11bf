import { Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRefresh, IconRepeat } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountId } from '../../contract/accounts.ts';
import type { EventFilter, EventId } from '../../contract/webhooks.ts';
import { call } from '../api/call.ts';
import { t } from '../i18n/translate.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { LoadFailure } from '../ui/load-failure.tsx';
import { Panel } from '../ui/panel.tsx';
import { useSave } from '../ui/use-save.ts';
import { EventDetails } from './event-details.tsx';
import { EventFilterBar } from './event-filter-bar.tsx';
import { EventTable } from './event-table.tsx';
import { eventsQuery, type WebhookEvent } from './webhook-queries.ts';
import classes from './webhooks.module.css';

interface EventsPanelProps {
  accountId: AccountId;
  filter: EventFilter;
  onFilter: (filter: EventFilter) => void;
}

const ReplayAll = ({ accountId, filter }: Omit<EventsPanelProps, 'onFilter'>) => {
  const [asking, ask] = useDisclosure();
  const replay = useSave(() =>
    call('POST /account/:accountId/webhook/replay', { params: { accountId }, body: filter }),
  );
  return (
    <>
      <Button variant="default" leftSection={<IconRepeat size={18} aria-hidden="true" />} onClick={ask.open}>
        {t('events.replay_all')}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={ask.close}
        onConfirm={async () => {
          await replay.mutateAsync(undefined).catch(() => undefined);
          ask.close();
        }}
        title={t('events.replay_all_title')}
        cancel={t('layout.cancel')}
        confirm={t('events.replay_all')}
        close={t('layout.close')}
      >
        {t('events.replay_all_text')}
      </ConfirmDialog>
    </>
  );
};

/** The events, newest first, with their answers; each can be sent again. */
export const EventsPanel = ({ accountId, filter, onFilter }: EventsPanelProps) => {
  const list = useInfiniteQuery({
    ...eventsQuery(accountId, filter),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const [shown, setShown] = useState<WebhookEvent>();
  const [opened, details] = useDisclosure();
  const replay = useSave((eventId: EventId) =>
    call('POST /account/:accountId/webhook/events/:eventId/replay', { params: { accountId, eventId } }),
  );
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  const filtered = Object.values(filter).some((value) => value !== undefined);
  const tools = (
    <div className={classes.tools}>
      <Button
        variant="default"
        leftSection={<IconRefresh size={18} aria-hidden="true" />}
        onClick={() => void list.refetch()}
      >
        {t('events.refresh')}
      </Button>
      {events.length > 0 && <ReplayAll accountId={accountId} filter={filter} />}
    </div>
  );
  return (
    <Panel title={t('events.list')} tools={tools}>
      <EventFilterBar filter={filter} onChange={onFilter} />
      <div aria-busy={list.isFetching}>
        {list.isPending && <Skeleton height={220} radius="md" />}
        {list.isError && (
          <LoadFailure
            text={t('events.failed')}
            reason={list.error.message}
            tryAgain={t('layout.try_again')}
            onRetry={list.refetch}
          />
        )}
        {list.isSuccess && events.length === 0 && (
          <p className={classes.none}>{filtered ? t('events.none') : t('events.none_yet')}</p>
        )}
        {events.length > 0 && (
          <EventTable
            events={events}
            replaying={replay.isPending ? replay.variables : undefined}
            onOpen={(event) => {
              setShown(event);
              details.open();
            }}
            onReplay={({ _id }) => replay.mutate(_id)}
          />
        )}
      </div>
      {list.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('layout.load_more')}
          </Button>
        </div>
      )}
      {shown && (
        <EventDetails
          accountId={accountId}
          event={shown}
          opened={opened}
          onClose={details.close}
          onReplay={({ _id }) => replay.mutate(_id)}
        />
      )}
    </Panel>
  );
};
