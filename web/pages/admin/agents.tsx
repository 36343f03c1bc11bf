import { getRouteApi, Link } from '@tanstack/react-router';
import classes from '../../agents/agents.module.css';
import { AgentsList } from '../../agents/agents-list.tsx';
import { JoinAgent } from '../../agents/join-agent.tsx';
import { useMay } from '../../api/use-may.ts';
import { t } from '../../i18n/translate.ts';
import list from '../../ui/list.module.css';
import { OnlyThese } from '../../ui/only-these.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

const route = getRouteApi('/dashboard/phone/agents');

/** For admins: the server refuses all other accounts. */
export const Agents = () => {
  const may = useMay();
  const isOnlyMoved = route.useSearch().sim === 'moved';
  return (
    <>
      <PageTitle title={t('agents.title')}>
        <Link to="/dashboard/phone">{t('agents.to_phones')}</Link>
      </PageTitle>
      <p className={list.hint}>{t('agents.hint')}</p>
      {isOnlyMoved && (
        <OnlyThese
          what={t('overview.concern.sims_moved')}
          all={<Link to="/dashboard/phone/agents">{t('lists.show_all')}</Link>}
        />
      )}
      <div className={classes.panels}>
        {may('POST /admin/agentKeys') && <JoinAgent />}
        <AgentsList onlyMoved={isOnlyMoved} />
      </div>
    </>
  );
};
