import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { Tag } from '../../ground/ui/tag.tsx';
import { type Arena, arenaQuery } from './report-queries.ts';

type Queue = Arena['queues'][number];

const nameOf = ({ name }: Queue): string => name;

const COLUMNS: Column<Queue>[] = [
  {
    id: 'name',
    label: () => t('report.lane'),
    cell: nameOf,
    value: nameOf,
    width: 12,
    grow: 1,
    sort: 'asc',
    line: 1,
  },
  {
    id: 'state',
    label: () => t('phones.state'),
    cell: ({ up, mode }) =>
      mode === 'on' ? (
        <Tag tone={up ? 'good' : up === false ? 'bad' : 'plain'}>
          {up ? t('lane.up') : up === false ? t('lane.down') : t('phones.unknown')}
        </Tag>
      ) : (
        <Tag tone="wait">{t(`lane.mode.${mode}`)}</Tag>
      ),
    width: 9,
    line: 2,
  },
  {
    id: 'waiting',
    label: () => t('report.waiting'),
    cell: ({ waiting }) => formatCount(waiting),
    value: ({ waiting }) => waiting,
    width: 8,
    kind: 'number',
    sort: 'desc',
    line: 2,
  },
];

/** What waits on each way out by WhatsApp. */
export const ArenaPanel = () => {
  const arena = useQuery(arenaQuery);
  return (
    <Panel title={t('report.arena')}>
      <DataList
        name="report-arena"
        label={t('report.arena')}
        columns={COLUMNS}
        rows={arena.data?.queues ?? []}
        rowId={nameOf}
        query={arena}
        failed={t('report.failed')}
        empty={t('report.no_queues')}
        expected={2}
      />
    </Panel>
  );
};
