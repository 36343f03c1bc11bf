import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../api/use-may.ts';
import { CarriersPanel } from '../../carriers/carriers-panel.tsx';
import { t } from '../../i18n/translate.ts';
import { LanesList } from '../../lanes/lanes-list.tsx';
import { RoutesPanel } from '../../lanes/routes-panel.tsx';
import list from '../../ui/list.module.css';
import { OnlyThese } from '../../ui/only-these.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
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
