import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import list from '../../ground/ui/list.module.css';
import { OnlyThese } from '../../ground/ui/only-these.tsx';
import { CarriersPanel } from '../../traffic/carriers/carriers-panel.tsx';
import { LanesList } from '../../traffic/lanes/lanes-list.tsx';
import { RoutesPanel } from '../../traffic/lanes/routes-panel.tsx';
import classes from './panels.module.css';

const route = getRouteApi('/dashboard/lanes');

/** For admins: the server refuses all other accounts. */
export const Lanes = () => {
  const may = useMay();
  const { state } = route.useSearch();
  return (
    <div data-wide>
      <PageTitle title={t('lanes.title')} />
      <p className={list.hint}>{t('lanes.hint')}</p>
      {state === 'down' && (
        <OnlyThese
          what={t('overview.concern.lanes')}
          all={<Link to="/dashboard/lanes">{t('lists.show_all')}</Link>}
        />
      )}
      <div className={classes.panels}>
        <div className={list.frame}>
          <LanesList onlyDown={state === 'down'} />
        </div>
        <RoutesPanel />
        {may('GET /admin/carrierPrefixes') && <CarriersPanel />}
      </div>
    </div>
  );
};
