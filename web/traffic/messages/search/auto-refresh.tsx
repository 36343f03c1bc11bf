import { formatTime } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import classes from './search-bar.module.css';
import { useAutoRefresh } from './use-auto-refresh.ts';

interface AutoRefreshProps {
  enabled: boolean;
  held: boolean;
  /** When the list was last read, as a timestamp; 0 before it was. */
  refreshedAt: number;
  onToggle: (enabled: boolean) => void;
  refresh: () => void;
}

/** Lets an admin have the list read again every half minute. */
export const AutoRefresh = ({ enabled, held, refreshedAt, onToggle, refresh }: AutoRefreshProps) => {
  useAutoRefresh({ enabled, held, refresh });
  return (
    <div className={classes.auto}>
      <label>
        <input
          type="checkbox"
          checked={enabled}
          onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
        />
        {t('messages.auto_refresh')}
      </label>
      <span className={classes.refreshed}>
        {refreshedAt > 0 &&
          t('messages.last_refreshed', { time: formatTime(new Date(refreshedAt).toISOString()) })}
      </span>
    </div>
  );
};
