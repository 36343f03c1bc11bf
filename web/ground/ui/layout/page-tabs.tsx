import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './page-tabs.module.css';

interface PageTab extends Pick<LinkProps, 'to' | 'search'> {
  label: string;
}

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

/** Pages that belong together. Those that differ only by their query name it. */
export const PageTabs = ({ label, tabs }: { label: string; tabs: PageTab[] }) => {
  const list = useOpenInSight();
  return (
    <nav aria-label={label}>
      <ul ref={list} className={classes.tabs}>
        {tabs.map(({ label: name, to, search }) => (
          <li key={name}>
            <Link
              to={to}
              {...(search && { search, replace: true })}
              className={classes.tab}
              activeOptions={{ exact: true, includeSearch: search !== undefined }}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};
