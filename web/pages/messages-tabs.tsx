import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import classes from './messages-tabs.module.css';

const TABS: { label: () => string; to: LinkProps['to'] }[] = [
  { label: () => t('route.messages'), to: '/dashboard/messages' },
  { label: () => t('log.title'), to: '/dashboard/messages/log' },
  { label: () => t('send.title'), to: '/dashboard/messages/send' },
  { label: () => t('contacts.title'), to: '/dashboard/messages/contacts' },
  { label: () => t('opt_outs.title'), to: '/dashboard/messages/opt-outs' },
];

/** On a narrow page not all tabs are visible, so the open one is scrolled into view. */
const useOpenInSight = () => {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const open = list.current?.querySelector('[aria-current="page"]')?.closest('li');
    if (!list.current || !open) return;
    const end = open.offsetLeft + open.offsetWidth - list.current.offsetLeft;
    list.current.scrollLeft = Math.max(0, end - list.current.clientWidth);
  }, []);
  return list;
};

/** The pages about messages. */
export const MessagesTabs = () => {
  const list = useOpenInSight();
  return (
    <nav aria-label={t('route.messages')}>
      <ul ref={list} className={classes.tabs}>
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
};
