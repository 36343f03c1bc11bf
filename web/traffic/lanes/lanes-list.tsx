import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { isLaneDown } from '../../../contract/traffic/lane-rules.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../ground/ui/data-list/no-rows.ts';
import { plainColumn } from '../../ground/ui/data-list/plain-column.ts';
import { LanePanel } from './lane-panel.tsx';
import { LaneState } from './lane-state.tsx';
import { type Lane, lanesQuery } from './lanes-query.ts';
import { MakeLane } from './make-lane.tsx';

const nameOf = ({ name }: Lane): string => name;
const ORDER = (lane: Lane): number => (lane.mode !== 'on' ? 1 : lane.up === false ? 0 : 2);

const COLUMNS: Column<Lane>[] = [
  plainColumn({ id: 'name', label: () => t('lanes.name'), of: nameOf, width: 12, grow: 2, line: 1 }),
  {
    id: 'state',
    label: () => t('phones.state'),
    cell: (lane) => <LaneState lane={lane} />,
    value: ORDER,
    width: 10,
    sort: 'asc',
    line: 1,
  },
  plainColumn({
    id: 'channel',
    label: () => t('messages.channel'),
    of: ({ channel }) => t(`send.channel.${channel}`),
    width: 6,
    line: 2,
  }),
  plainColumn({
    id: 'provider',
    label: () => t('lanes.provider'),
    of: ({ provider }) => provider,
    width: 8,
    grow: 1,
    line: 2,
  }),
  {
    id: 'waiting',
    label: () => t('report.waiting'),
    cell: ({ waiting }) => formatCount(waiting),
    value: ({ waiting }) => waiting,
    width: 6,
    kind: 'number',
    sort: 'desc',
    line: 2,
  },
  plainColumn({
    id: 'worker',
    label: () => t('lanes.worker'),
    of: ({ worker }) => worker ?? '–',
    value: ({ worker }) => worker ?? '',
    width: 10,
    grow: 1,
  }),
  {
    id: 'cost',
    label: () => t('lanes.cost'),
    cell: ({ cost }) => cost,
    value: ({ cost }) => Number(cost),
    width: 11,
    kind: 'number',
    sort: 'desc',
  },
];

const panel = { title: nameOf, content: (lane: Lane) => <LanePanel lane={lane} /> };

/** Every way out with its live state, or only those that are down. */
export const LanesList = ({ onlyDown }: { onlyDown: boolean }) => {
  const may = useMay();
  const [making, setMaking] = useState(false);
  const lanes = useQuery(lanesQuery);
  const { lanes: known = NO_ROWS, providers = [] } = lanes.data ?? {};
  const shown = useMemo(() => (onlyDown ? known.filter(isLaneDown) : known), [known, onlyDown]);
  return (
    <>
      <DataList
        name="lanes"
        label={t('lanes.title')}
        columns={COLUMNS}
        rows={shown}
        rowId={nameOf}
        query={lanes}
        failed={t('lanes.failed')}
        empty={onlyDown ? t('lists.none_fit') : t('lanes.none')}
        panel={panel}
        tools={
          providers.length > 0 &&
          may('POST /admin/lanes') && (
            <Button size="xs" variant="default" onClick={() => setMaking(true)}>
              {t('lanes.make')}
            </Button>
          )
        }
      />
      <MakeLane providers={providers} opened={making} onClose={() => setMaking(false)} />
    </>
  );
};
