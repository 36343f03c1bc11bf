import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { t } from '../../i18n/translate.ts';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  count: number;
  /** What can be done with the selected rows. */
  children: ReactNode;
  onClear: () => void;
  onSelectAll: () => void;
  /** Selects what is not on this page too. */
  beyond?: { count: number; onSelect: () => void } | undefined;
}

/** At the bottom of the window while rows are selected. */
export const SelectionBar = ({ count, children, onClear, onSelectAll, beyond }: SelectionBarProps) => (
  <section className={classes.bar} aria-label={t('lists.selection')}>
    <strong role="status">{t('lists.selected', { count: formatCount(count) })}</strong>
    {children}
    <span className={classes.space} />
    <Button size="xs" variant="default" onClick={onClear}>
      {t('lists.clear')}
    </Button>
    <Button size="xs" variant="default" onClick={onSelectAll}>
      {t('lists.select_all')}
    </Button>
    {beyond && (
      <Button size="xs" variant="default" onClick={beyond.onSelect}>
        {t('lists.select_matching', { count: formatCount(beyond.count) })}
      </Button>
    )}
  </section>
);
