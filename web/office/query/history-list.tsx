import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PastQuery } from '../../../contract/office/query.ts';
import { formatCount, formatMoment } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Tag, type Tone } from '../../ground/ui/tag.tsx';
import { historyQuery } from './query-queries.ts';

const TONES: Record<PastQuery['outcome'], Tone> = {
  running: 'wait',
  done: 'good',
  refused: 'bad',
  failed: 'bad',
  cancelled: 'plain',
  timed_out: 'bad',
};

const columnsWith = (onUse: (query: PastQuery) => void): Column<PastQuery>[] => [
  {
    id: 'createdAt',
    label: () => t('qf.when'),
    cell: ({ createdAt }) => formatMoment(createdAt),
    width: 11,
    sort: 'desc',
    value: ({ createdAt }) => createdAt,
    line: 2,
  },
  {
    id: 'sql',
    label: () => t('qf.statement'),
    cell: ({ sql }) => sql.replace(/\s+/g, ' '),
    width: 16,
    grow: 1,
    line: 1,
  },
  {
    id: 'outcome',
    label: () => t('qf.outcome'),
    cell: ({ outcome }) => <Tag tone={TONES[outcome]}>{t(`qf.outcome.${outcome}`)}</Tag>,
    width: 7,
    line: 2,
  },
  {
    id: 'rows',
    label: () => t('qf.rows'),
    cell: ({ rows }) => (rows === null ? '–' : formatCount(rows)),
    width: 5,
    kind: 'number',
  },
  {
    id: 'elapsed',
    label: () => t('qf.elapsed'),
    cell: ({ elapsed_ms }) =>
      elapsed_ms === null ? '–' : t('qf.milliseconds', { ms: formatCount(elapsed_ms) }),
    width: 7,
    kind: 'number',
  },
  {
    id: 'use',
    label: () => t('qf.use'),
    cell: (query) => (
      <Button size="compact-sm" variant="default" onClick={() => onUse(query)}>
        {t('qf.use')}
      </Button>
    ),
    width: 6,
    kind: 'actions',
    line: 1,
  },
];

const idOf = ({ id }: PastQuery): string => id;

/** What this admin has asked before. */
export const HistoryList = ({ onUse }: { onUse: (query: PastQuery) => void }) => {
  const history = useQuery({ ...historyQuery, refetchOnMount: 'always' });
  const columns = useMemo(() => columnsWith(onUse), [onUse]);
  return (
    <DataList
      name="qf-history"
      label={t('qf.history')}
      columns={columns}
      rows={history.data ?? []}
      rowId={idOf}
      query={history}
      failed={t('qf.history_failed')}
      empty={t('qf.history_empty')}
    />
  );
};
