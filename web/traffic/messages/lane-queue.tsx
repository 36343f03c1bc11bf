import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LANE_MODES } from '../../../contract/traffic/lanes.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../ground/ui/data-list/no-rows.ts';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import lists from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';
import classes from './bulk/bulk.module.css';
import { JobsLink } from './jobs-link.tsx';
import { Recipient } from './list/recipient.tsx';
import { shortId } from './list/short-id.ts';
import { formatSecond } from './search/days.ts';

type Queue = Answer<'GET /job/:jobId/queue'>;
type Neighbour = Queue['messages'][number];

const columnsFor = (jobId: MessageId): Column<Neighbour>[] => [
  {
    id: 'place',
    label: () => t('queue.place'),
    cell: ({ place }) => formatCount(place + 1),
    width: 5,
    kind: 'number',
    line: 1,
  },
  {
    id: '_id',
    label: () => t('messages.id'),
    cell: ({ _id }) => (
      <>
        <Link to="/dashboard/messages/details/$messageId" params={{ messageId: _id }} title={_id}>
          {shortId(_id)}
        </Link>
        {_id === jobId && <Tag tone="brass">{t('queue.this')}</Tag>}
      </>
    ),
    width: 11,
    line: 1,
  },
  { id: 'phone', label: () => t('details.to'), cell: Recipient, width: 8, grow: 1, line: 2 },
  {
    id: 'email',
    label: () => t('messages.account'),
    cell: ({ email }) => email,
    width: 10,
    grow: 1,
    line: 2,
  },
  { id: 'due', label: () => t('queue.due'), cell: ({ due }) => formatSecond(due), width: 8.75, line: 2 },
  {
    id: 'attempts',
    label: () => t('queue.attempts'),
    cell: ({ attempts }) => attempts,
    width: 5,
    kind: 'number',
  },
];

const Lane = ({ lane, state, place }: Queue) => (
  <Facts
    facts={[
      { label: t('messages.status'), value: t(`queue.state.${state}`) },
      { label: t('queue.ahead'), value: place === null ? null : formatCount(place) },
      { label: t('messages.provider'), value: lane?.provider },
      {
        label: t('queue.lane_state'),
        value:
          lane?.up === false
            ? `${t('queue.down')} ${lane.reason}`
            : lane && t(`lane.mode.${lane.mode as (typeof LANE_MODES)[number]}`),
      },
      { label: t('queue.waiting'), value: lane && formatCount(lane.waiting) },
      { label: t('queue.claimed'), value: lane && formatCount(lane.claimed) },
    ]}
  />
);

/** A lane's queue at one message: what comes before it and after it. */
export const LaneQueue = ({ jobId }: { jobId: MessageId }) => {
  const queue = useQuery({
    queryKey: ['lane-queue', jobId],
    queryFn: () => call('GET /job/:jobId/queue', { params: { jobId } }),
    staleTime: 0,
  });
  const columns = useMemo(() => columnsFor(jobId), [jobId]);
  return (
    <div className={classes.stack}>
      {queue.data && (
        <Panel title={queue.data.lane?.name ?? t('queue.title')}>
          <Lane {...queue.data} />
          <div className={classes.tools}>
            <JobsLink />
          </div>
        </Panel>
      )}
      <section className={lists.frame} aria-label={t('queue.title')}>
        <DataList
          name="lane-queue"
          label={t('queue.title')}
          columns={columns}
          rows={queue.data?.messages ?? NO_ROWS}
          rowId={({ _id }) => _id}
          query={queue}
          failed={t('queue.failed')}
          empty={t('queue.none')}
        />
      </section>
    </div>
  );
};
