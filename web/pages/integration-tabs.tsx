import { Link, type LinkProps } from '@tanstack/react-router';
import { t } from '../i18n/translate.ts';
import classes from './integration-tabs.module.css';

/** The pages below Integration, in their order. */
const TABS: { label: () => string; to: LinkProps['to'] }[] = [
  { label: () => t('integration.api'), to: '/dashboard/integration' },
  { label: () => t('events.title'), to: '/dashboard/integration/events' },
];

export const IntegrationTabs = () => (
  <nav className={classes.tabs} aria-label={t('route.integration')}>
    {TABS.map(({ label, to }) => (
      <Link key={to} to={to} className={classes.tab} activeOptions={{ exact: true, includeSearch: false }}>
        {label()}
      </Link>
    ))}
  </nav>
);
