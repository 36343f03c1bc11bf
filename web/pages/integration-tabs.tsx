import { Link, type LinkProps } from '@tanstack/react-router';
import { t } from '../i18n/translate.ts';
import classes from './integration-tabs.module.css';

/** The pages below Integration, in their order. A page is listed once it works. */
const TABS: { label: () => string; to: LinkProps['to'] }[] = [
  { label: () => t('integration.api'), to: '/dashboard/integration' },
];

/** Nothing to choose from is nothing to show. */
export const IntegrationTabs = () =>
  TABS.length > 1 && (
    <nav className={classes.tabs} aria-label={t('route.integration')}>
      {TABS.map(({ label, to }) => (
        <Link key={to} to={to} className={classes.tab} activeOptions={{ exact: true }}>
          {label()}
        </Link>
      ))}
    </nav>
  );
