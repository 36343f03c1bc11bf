import { NativeSelect } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ROUTE_POLICIES } from '../../../contract/traffic/lane-rules.ts';
import type { RoutePolicy } from '../../../contract/traffic/lanes.ts';
import { type Answer, call } from '../../ground/api/call.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { NO_ROWS } from '../../ground/ui/data-list/no-rows.ts';
import { plainColumn } from '../../ground/ui/data-list/plain-column.ts';
import { useSave } from '../../ground/ui/forms/use-save.ts';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import list from '../../ground/ui/list.module.css';

type Route = Answer<'GET /admin/routes'>['routes'][number];

const routesQuery = queryOptions({
  queryKey: ['admin-routes'],
  queryFn: () => call('GET /admin/routes'),
  refetchOnMount: 'always',
});

/** How the lanes of a route share messages; whoever may change it chooses another. */
const Policy = ({ route: { name, policy } }: { route: Route }) => {
  const may = useMay();
  const save = useSave(async (wanted: RoutePolicy) => {
    await call('PUT /admin/routes', { body: { name, policy: wanted } });
    return { message: t('bulk.ok') };
  });
  if (!may('PUT /admin/routes')) return t(`routes.policy.${policy}`);
  return (
    <NativeSelect
      size="xs"
      aria-label={t('routes.policy_of', { route: name })}
      value={save.isPending ? save.variables : policy}
      data={ROUTE_POLICIES.map((value) => ({ value, label: t(`routes.policy.${value}`) }))}
      onChange={({ currentTarget }) => save.mutate(currentTarget.value as RoutePolicy)}
    />
  );
};

const nameOf = ({ name }: Route): string => name;
const COLUMNS: Column<Route>[] = [
  plainColumn({ id: 'name', label: () => t('lanes.route'), of: nameOf, width: 8, line: 1 }),
  {
    id: 'policy',
    label: () => t('routes.policy'),
    cell: (route) => <Policy route={route} />,
    width: 13,
    line: 1,
  },
  {
    id: 'lanes',
    label: () => t('lanes.title'),
    cell: ({ lanes }) => <span title={lanes.join(', ')}>{lanes.join(', ')}</span>,
    width: 12,
    grow: 1,
    line: 2,
  },
];

/** The named lists of lanes that take over from each other. */
export const RoutesPanel = () => {
  const routes = useQuery(routesQuery);
  return (
    <Panel title={t('routes.title')}>
      <p className={list.hint}>{t('routes.hint')}</p>
      <DataList
        name="routes"
        label={t('routes.title')}
        columns={COLUMNS}
        rows={routes.data?.routes ?? NO_ROWS}
        rowId={nameOf}
        query={routes}
        failed={t('routes.failed')}
        empty={t('routes.none')}
        expected={2}
      />
    </Panel>
  );
};
