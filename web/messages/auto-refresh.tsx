import { Checkbox } from '@mantine/core';
import { formatTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import classes from './search-bar.module.css';
import { useAutoRefresh } from './use-auto-refresh.ts';

export interface AutoRefreshProps {
  /** Whether the list that is shown refreshes itself. */
  enabled: boolean;
  /** Whether the box is ticked. */
  checked: boolean;
  /** When the list was last read, as a timestamp; 0 before it was. */
  refreshedAt: number;
  onToggle: (checked: boolean) => void;
  refresh: () => void;
}

/** Lets an admin have the list read again every half minute. */
export const AutoRefresh = ({ enabled, checked, refreshedAt, onToggle, refresh }: AutoRefreshProps) => {
  // Rows can't be selected yet, so none ever is.
  useAutoRefresh({ enabled, selectedCount: 0, refresh });
  return (
    <div className={classes.auto}>
      <Checkbox
        size="xs"
        label={t('messages.auto_refresh')}
        checked={checked}
        onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
      />
      {refreshedAt > 0 && (
        <span className={classes.refreshed}>
          {t('messages.last_refreshed', { time: formatTime(new Date(refreshedAt).toISOString()) })}
        </span>
      )}
    </div>
  );
};
