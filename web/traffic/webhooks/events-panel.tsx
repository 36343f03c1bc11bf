import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconRefresh, IconRepeat } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { EventFilter, EventId } from '../../../contract/traffic/webhooks.ts';
import { call } from '../../ground/api/call.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { ConfirmDialog } from '../../ground/ui/forms/confirm-dialog.tsx';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { useStable } from '../../ground/ui/use-stable.ts';
import { eventColumns } from './event-columns.tsx';
import { EventDetails } from './event-details.tsx';
import { EventFilterBar } from './event-filter-bar.tsx';
import { eventsQuery, type WebhookEvent } from './webhook-queries.ts';
import classes from './webhooks.module.css';

interface EventsPanelProps {
  accountId: AccountId;
  filter: EventFilter;
  /** What is chosen now; the rest stays. */
  onFilter: (chosen: EventFilter) => void;
}

const idOf = ({ _id }: WebhookEvent): string => _id;

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
  const replay = useSave((eventId: EventId) =>
    call('POST /account/:accountId/webhook/events/:eventId/replay', { params: { accountId, eventId } }),
  );
  const onReplay = useStable(({ _id }: WebhookEvent) => replay.mutate(_id));
  const replaying = replay.isPending ? replay.variables : undefined;
  const columns = useMemo(() => eventColumns({ replaying, onReplay }), [replaying, onReplay]);
  const events = useMemo(() => list.data?.pages.flatMap((page) => page.events) ?? [], [list.data]);
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
      <DataList
        name="webhook-events"
        label={t('events.list')}
        columns={columns}
        rows={events}
        rowId={idOf}
        query={list}
        failed={t('events.failed')}
        empty={filtered ? t('events.none') : t('events.none_yet')}
        panel={{
          title: ({ createdAt }) => t('events.details', { time: formatDateTime(createdAt) }),
          content: (event) => <EventDetails accountId={accountId} event={event} onReplay={onReplay} />,
        }}
      />
    </Panel>
  );
};
