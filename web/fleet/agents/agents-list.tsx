import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatDateTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../ground/ui/data-list/no-rows.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import list from '../../ground/ui/list.module.css';
import { Tag } from '../../ground/ui/tag.tsx';
import { AgentPanel } from './agent-panel.tsx';
import { AgentState } from './agent-state.tsx';
import { type Agent, agentsQuery } from './agents-query.ts';

const COLUMNS: Column<Agent>[] = [
  {
    id: 'agent',
    label: () => t('agents.agent'),
    cell: (agent) => <AgentState agent={agent} />,
    width: 13,
    grow: 1,
    line: 1,
  },
  { id: 'version', label: () => t('agents.version'), cell: ({ version }) => version, width: 7, line: 2 },
  {
    id: 'seen',
    label: () => t('agents.seen'),
    cell: ({ lastSeenAt }) =>
      lastSeenAt ? (
        <time dateTime={lastSeenAt}>{formatDateTime(lastSeenAt)}</time>
      ) : (
        <span className={list.quiet}>{t('agents.never')}</span>
      ),
    width: 11,
  },
  {
    id: 'phones',
    label: () => t('agents.phones'),
    cell: ({ modems }) => (
      <span className={list.tags}>
        {modems.map(({ name, phoneName, up, moved }) =>
          moved ? (
            <Tag key={name} tone="wait">
              {t('agents.moved', { phone: moved.phoneName })}
            </Tag>
          ) : (
            <Tag key={name} tone={up ? 'good' : 'bad'}>
              {phoneName || name} {up ? t('agents.up') : t('agents.down')}
            </Tag>
          ),
        )}
      </span>
    ),
    width: 16,
    grow: 2,
    line: 2,
  },
];

const idOf = ({ _id }: Agent): string => _id;
const nameOf = ({ name }: Agent): string => name;
const hasMoved = ({ modems }: Agent): boolean => modems.some(({ moved }) => moved !== null);

export const AgentsList = ({ onlyMoved }: { onlyMoved: boolean }) => {
  const agents = useQuery({ ...agentsQuery, refetchOnMount: 'always' });
  const all = agents.data?.agents ?? NO_ROWS;
  const rows = useMemo(() => (onlyMoved ? all.filter(hasMoved) : all), [all, onlyMoved]);
  // As it is now, also once it has left the list because its move was confirmed.
  const panel = {
    title: nameOf,
    content: (agent: Agent) => <AgentPanel agent={all.find(({ _id }) => _id === agent._id) ?? agent} />,
  };
  return (
    <Panel title={t('agents.joined')}>
      <DataList
        name="agents"
        label={t('agents.joined')}
        columns={COLUMNS}
        rows={rows}
        rowId={idOf}
        query={agents}
        failed={t('agents.failed')}
        empty={onlyMoved ? t('lists.none_fit') : t('agents.none')}
        panel={panel}
        expected={2}
      />
    </Panel>
  );
};
