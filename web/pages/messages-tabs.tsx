import { Link, type LinkProps } from '@tanstack/react-router';
import { t } from '../i18n/translate.ts';
import classes from './messages-tabs.module.css';

const TABS: { label: () => string; to: LinkProps['to'] }[] = [
  { label: () => t('route.messages'), to: '/dashboard/messages' },
  { label: () => t('log.title'), to: '/dashboard/messages/log' },
  { label: () => t('send.title'), to: '/dashboard/messages/send' },
  { label: () => t('contacts.title'), to: '/dashboard/messages/contacts' },
  { label: () => t('opt_outs.title'), to: '/dashboard/messages/opt-outs' },
];

/** The pages about messages. */
export const MessagesTabs = () => (
  <nav aria-label={t('route.messages')}>
    <ul className={classes.tabs}>
      {TABS.map(({ label, to }) => (
        <li key={to}>
          <Link to={to} className={classes.tab} activeOptions={{ exact: true, includeSearch: false }}>
            {label()}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);
