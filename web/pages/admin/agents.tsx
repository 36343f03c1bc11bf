import { getRouteApi, Link } from '@tanstack/react-router';
import classes from '../../fleet/agents/agents.module.css';
import { AgentsList } from '../../fleet/agents/agents-list.tsx';
import { JoinAgent } from '../../fleet/agents/join-agent.tsx';
import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import list from '../../ground/ui/list.module.css';
import { OnlyThese } from '../../ground/ui/only-these.tsx';

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
