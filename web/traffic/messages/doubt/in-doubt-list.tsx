import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { formatCount, formatExactAmount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { StatusTag } from '../../../ground/message-status/status-tag.tsx';
import type { Column } from '../../../ground/ui/data-list/column.ts';
import { DataList } from '../../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../../ground/ui/data-list/no-rows.ts';
import type { Selected } from '../../../ground/ui/data-list/use-rows.ts';
import { MomentField } from '../../../ground/ui/forms/day-field.tsx';
import lists from '../../../ground/ui/list.module.css';
import classes from '../bulk/bulk.module.css';
import { BulkActions } from '../bulk/bulk-actions.tsx';
import type { BulkAction } from '../bulk/bulk-query.ts';
import { BulkRuns } from '../bulk/bulk-runs.tsx';
import { useHeld } from '../bulk/use-held.ts';
import { pageCount } from '../list/page-links.ts';
import { Pager } from '../list/pager.tsx';
import { Recipient } from '../list/recipient.tsx';
import { shortId } from '../list/short-id.ts';
import { formatSecond } from '../search/days.ts';
import { AskCarriers } from './ask-carriers.tsx';
import {
  askedDoubts,
  type DoubtFilters,
  type DoubtfulMessage,
  IN_DOUBT_PAGE,
  inDoubtQuery,
  NO_DOUBT_FILTERS,
} from './in-doubt-query.ts';

const Moment = ({ at }: { at: string }) => <time dateTime={at}>{formatSecond(at)}</time>;

/** Why it is unknown, and what the carrier said when it was asked. */
const knownOf = ({ reason, question }: DoubtfulMessage): string => {
  if (!question) return reason;
  return question.answeredAt === null ? `${reason} ${t('doubt.asked')}` : `${reason} ${question.said}`;
};

const COLUMNS: Column<DoubtfulMessage>[] = [
  {
    id: '_id',
    label: () => t('messages.id'),
    cell: ({ _id }) => <span title={_id}>{shortId(_id)}</span>,
    width: 5.5,
    line: 1,
  },
  {
    id: 'since',
    label: () => t('doubt.since'),
    cell: ({ since }) => <Moment at={since} />,
    width: 7.75,
    line: 1,
  },
  { id: 'lane', label: () => t('doubt.lane'), cell: ({ lane }) => lane, width: 7, line: 2 },
  { id: 'phone', label: () => t('details.to'), cell: Recipient, width: 7.5, line: 2 },
  {
    id: 'status',
    label: () => t('messages.status'),
    cell: ({ status }) => <StatusTag status={status} admin />,
    width: 12,
    choice: 'shown',
  },
  { id: 'email', label: () => t('messages.account'), cell: ({ email }) => email, width: 8, choice: 'shown' },
  {
    id: 'reason',
    label: () => t('doubt.reason'),
    cell: (message) => <span title={knownOf(message)}>{knownOf(message)}</span>,
    width: 8,
    grow: 1,
    line: 2,
  },
  {
    id: 'price',
    label: () => t('details.price'),
    cell: ({ price }) => formatExactAmount(price),
    width: 5,
    kind: 'number',
    choice: 'shown',
  },
];

const idOf = ({ _id }: DoubtfulMessage): string => _id;

interface FieldsProps {
  filters: DoubtFilters;
  lanes: { laneId: number; name: string; count: number }[];
  onChange: (filters: DoubtFilters) => void;
}

const Fields = ({ filters, lanes, onChange }: FieldsProps) => (
  <div className={classes.fields}>
    <NativeSelect
      size="xs"
      label={t('doubt.lane')}
      value={filters.laneId}
      data={[
        { value: '', label: t('messages.any') },
        ...lanes.map(({ laneId, name, count }) => ({
          value: String(laneId),
          label: `${name} (${formatCount(count)})`,
        })),
      ]}
      onChange={({ currentTarget }) => onChange({ ...filters, laneId: currentTarget.value })}
    />
    <MomentField
      size="xs"
      label={t('doubt.from')}
      pick={t('lists.pick_day', { label: t('doubt.from') })}
      value={filters.from}
      onChange={(from) => onChange({ ...filters, from })}
    />
    <MomentField
      size="xs"
      label={t('doubt.to')}
      pick={t('lists.pick_day', { label: t('doubt.to') })}
      value={filters.to}
      onChange={(to) => onChange({ ...filters, to })}
    />
  </div>
);

interface InDoubtListProps {
  /** The reader's own. */
  accountId: AccountId;
  details: (message: DoubtfulMessage) => ReactNode;
}

/** Messages whose outcome is unknown: an admin decides them one by one, or all of a lane and time. */
export const InDoubtList = ({ accountId, details }: InDoubtListProps) => {
  const [filters, setFilters] = useState(NO_DOUBT_FILTERS);
  const [page, setPage] = useState(1);
  const [selected, setSelected] = useState<Selected>({});
  const [isEvery, setEvery] = useState(false);
  const selectedCount = Object.keys(selected).length;
  const isHeld = useHeld(selectedCount);
  const [begun, setBegun] = useState<BulkAction[]>([]);
  const list = useQuery({
    ...inDoubtQuery(filters, page),
    ...(isHeld && { refetchInterval: false as const, refetchOnWindowFocus: false }),
  });
  const { messages = NO_ROWS, total = 0, lanes = [] } = list.data ?? {};
  const inDoubt = useMemo(() => askedDoubts(filters), [filters]);
  const pages = pageCount(total, IN_DOUBT_PAGE);
  // Those of the last page may have been decided.
  if (list.isSuccess && !list.isPlaceholderData && page > pages) setPage(pages);
  const onSelect = (next: Selected) => {
    setSelected(next);
    setEvery(false);
  };
  return (
    <section className={lists.frame} aria-label={t('doubt.title')}>
      <Fields
        filters={filters}
        lanes={lanes}
        onChange={(next) => {
          setFilters(next);
          setPage(1);
          onSelect({});
        }}
      />
      <DataList
        name="in-doubt"
        label={t('doubt.title')}
        columns={COLUMNS}
        rows={messages}
        rowId={idOf}
        query={list}
        failed={t('doubt.failed')}
        empty={t('doubt.none')}
        panel={{ title: ({ _id }) => `${t('messages.message')} ${shortId(_id)}`, content: details }}
        selection={{
          selected,
          onSelect,
          matching: { count: total, chosen: isEvery, onChoose: () => setEvery(true) },
          actions: (
            <>
              {!isEvery && (
                <AskCarriers ids={Object.keys(selected) as MessageId[]} onAsked={() => void list.refetch()} />
              )}
              <BulkActions
                target={isEvery ? { inDoubt } : { ids: Object.keys(selected) as MessageId[] }}
                count={isEvery ? total : selectedCount}
                onBegin={(action) => {
                  setBegun((before) => [...before, action]);
                  onSelect({});
                }}
              />
            </>
          ),
        }}
      />
      <BulkRuns accountId={accountId} begun={begun} onEnd={() => void list.refetch()} />
      {pages > 1 && <Pager label={t('messages.pages_below')} page={page} pages={pages} onPage={setPage} />}
    </section>
  );
};
