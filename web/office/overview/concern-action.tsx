import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallName } from '../../../contract/calls.ts';
import { useMay } from '../../ground/api/use-may.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from './overview.module.css';
import type { Concern } from './overview-query.ts';

/** What the page needs on which it is put right. */
const CALLS: Partial<Record<Concern['kind'], CallName>> = {
  in_doubt: 'GET /admin/inDoubt',
  lanes: 'GET /admin/lanes',
  sims_moved: 'GET /admin/agents',
  phones_down: 'GET /phoneNumberInventory',
  phones_validity: 'GET /phoneNumberInventory',
  phones_topup: 'GET /phoneNumberInventory',
  payments: 'GET /admin/payments',
  webhooks: 'GET /admin/accounts',
  jobs: 'POST /admin/jobs/ticket',
  retention: 'GET /admin/retention',
};

/** Each link opens exactly those that are counted. */
const NOTICES = { phones_down: 'DOWN', phones_validity: 'VALIDITY', phones_topup: 'TOPUP' } as const;

interface ConcernActionProps {
  concern: Concern;
  /** Leads to the pages of the job queue. */
  jobs: ReactNode;
}

/** Where it is put right, or what to do where no page can. */
export const ConcernAction = ({ concern: { kind }, jobs }: ConcernActionProps) => {
  const may = useMay();
  const look = t('overview.look');
  const needed = CALLS[kind];
  if (needed && !may(needed)) return <span className={classes.advice}>{t('overview.not_yours')}</span>;
  switch (kind) {
    case 'in_doubt':
      return <Link to="/dashboard/in-doubt">{look}</Link>;
    case 'lanes':
      return (
        <Link to="/dashboard/lanes" search={{ state: 'down' }}>
          {look}
        </Link>
      );
    case 'sims_moved':
      return (
        <Link to="/dashboard/phone/agents" search={{ sim: 'moved' }}>
          {look}
        </Link>
      );
    case 'phones_down':
    case 'phones_validity':
    case 'phones_topup':
      return (
        <Link to="/dashboard/phone" search={{ notice: NOTICES[kind] }}>
          {look}
        </Link>
      );
    case 'payments':
      return (
        <Link to="/qf/payment" search={{ unsettled: 'true' }}>
          {look}
        </Link>
      );
    case 'webhooks':
      return (
        <Link to="/dashboard/accounts" search={{ webhook: 'failing' }}>
          {look}
        </Link>
      );
    case 'jobs':
      return jobs;
    case 'retention':
      return <Link to="/dashboard/retention">{look}</Link>;
    default:
      return <span className={classes.advice}>{t(`overview.advice.${kind}`)}</span>;
  }
};
