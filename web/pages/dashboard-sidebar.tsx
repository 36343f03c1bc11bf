import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { profileQuery } from '../accounts/profile-query.ts';
import { DASHBOARD_ENTRIES } from './dashboard-entries.ts';
import classes from './dashboard-sidebar.module.css';

export const DashboardSidebar = () => {
  const { data: profile } = useQuery(profileQuery);
  const entries = DASHBOARD_ENTRIES.filter((entry) => !entry.admin || profile?.admin);
  return (
    <ul className={classes.entries}>
      {entries.map(({ label, to, icon: Icon }) => (
        <li key={to}>
          <Link to={to} className={classes.entry}>
            <Icon size={21} stroke={1.7} aria-hidden="true" />
            {label()}
          </Link>
        </li>
      ))}
    </ul>
  );
};
