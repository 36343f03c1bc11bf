import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { profileQuery } from '../ground/api/profile-query.ts';
import { mayCall } from '../ground/api/use-may.ts';
import { DASHBOARD_ENTRIES } from './dashboard-entries.ts';
import classes from './dashboard-sidebar.module.css';

export const DashboardSidebar = () => {
  const { data: profile } = useQuery(profileQuery);
  const entries = DASHBOARD_ENTRIES.filter(
    ({ calls }) => !calls || calls.some((name) => mayCall(profile, name)),
  );
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
