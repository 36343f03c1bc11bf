import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { ConcernsPanel } from '../../office/overview/concerns-panel.tsx';
import classes from '../../office/overview/overview.module.css';
import { overviewQuery } from '../../office/overview/overview-query.ts';
import { TrafficPanel } from '../../office/overview/traffic-panel.tsx';
import { JobsLink } from '../../traffic/messages/jobs-link.tsx';

/** Pages that the sidebar does not list, each for the admins who may open it. */
const MORE = [
  { to: '/dashboard/accounts', title: () => t('customers.title'), call: 'GET /admin/accounts' },
  { to: '/dashboard/in-doubt', title: () => t('doubt.title'), call: 'GET /admin/inDoubt' },
  { to: '/dashboard/unassigned', title: () => t('unassigned.title'), call: 'GET /admin/unassigned' },
  { to: '/dashboard/lanes', title: () => t('lanes.title'), call: 'GET /admin/lanes' },
  { to: '/dashboard/prices', title: () => t('prices.title'), call: 'GET /admin/prices' },
  { to: '/dashboard/retention', title: () => t('retention.title'), call: 'GET /admin/retention' },
] as const;

/** For admins: the server refuses all other accounts. */
export const Overview = () => {
  const overview = useQuery(overviewQuery);
  const may = useMay();
  return (
    <>
      <PageTitle title={t('overview.title')}>
        <nav className={classes.more} aria-label={t('overview.more')}>
          {MORE.filter(({ call }) => may(call)).map(({ to, title }) => (
            <Link key={to} to={to}>
              {title()}
            </Link>
          ))}
        </nav>
      </PageTitle>
      {overview.isPending && <Skeleton height={420} radius="md" />}
      {overview.isError && (
        <LoadFailure
          text={t('overview.failed')}
          reason={overview.error.message}
          tryAgain={t('layout.try_again')}
          retrying={overview.isFetching}
          onRetry={overview.refetch}
        />
      )}
      {overview.data && (
        <div className={classes.panels}>
          <ConcernsPanel concerns={overview.data.concerns} jobs={<JobsLink failed />} />
          <TrafficPanel traffic={overview.data.traffic} />
        </div>
      )}
    </>
  );
};
