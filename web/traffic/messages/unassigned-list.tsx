import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Answer, call } from '../../ground/api/call.ts';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Facts } from '../../ground/ui/layout/facts.tsx';

type Unassigned = Answer<'GET /admin/unassigned'>['messages'][number];

const A_PAGE = 50;
const unassignedQuery = infiniteQueryOptions({
  queryKey: ['unassigned'],
  queryFn: ({ pageParam }) => call('GET /admin/unassigned', { query: { before: pageParam, limit: A_PAGE } }),
  initialPageParam: undefined as Unassigned['_id'] | undefined,
  getNextPageParam: ({ messages, more }) => (more ? messages.at(-1)?._id : undefined),
});

const Received = ({ message: { receivedAt } }: { message: Unassigned }) => (
  <time dateTime={receivedAt}>{formatDateTime(receivedAt)}</time>
);

const COLUMNS: Column<Unassigned>[] = [
  {
    id: 'received',
    label: () => t('unassigned.received'),
    cell: (message) => <Received message={message} />,
    width: 9,
    line: 2,
  },
  { id: 'from', label: () => t('details.from'), cell: ({ from }) => from, width: 8, line: 1 },
  { id: 'to', label: () => t('details.to'), cell: ({ to }) => to, width: 8, line: 1 },
  { id: 'lane', label: () => t('doubt.lane'), cell: ({ lane }) => lane, width: 8, line: 2 },
  {
    id: 'message',
    label: () => t('messages.message'),
    cell: ({ message }) => <span title={message}>{message}</span>,
    width: 10,
    grow: 1,
    line: 2,
  },
];

const panel = {
  title: ({ from }: Unassigned) => from,
  content: (message: Unassigned) => (
    <Facts
      facts={[
        { label: t('unassigned.received'), value: <Received message={message} /> },
        { label: t('details.from'), value: message.from },
        { label: t('details.to'), value: message.to },
        { label: t('doubt.lane'), value: message.lane },
        { label: t('messages.channel'), value: t(`send.channel.${message.channel}`) },
        { label: t('messages.message'), value: message.message },
      ]}
    />
  ),
};

/** What arrived and belongs to no account. */
export const UnassignedList = () => {
  const found = useInfiniteQuery({ ...unassignedQuery, refetchOnMount: 'always' });
  const messages = useMemo(() => found.data?.pages.flatMap((page) => page.messages) ?? [], [found.data]);
  return (
    <DataList
      name="unassigned"
      label={t('unassigned.title')}
      columns={COLUMNS}
      rows={messages}
      rowId={({ _id }) => _id}
      query={found}
      failed={t('unassigned.failed')}
      empty={t('unassigned.none')}
      panel={panel}
    />
  );
};
