import { isDay } from '../../../ground/i18n/moment-text.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { type Days, recentDays, shiftDays, todayOnly } from './days.ts';
import type { MessageFilters } from './message-filters.ts';
import classes from './search-bar.module.css';

interface QuickDaysProps {
  days: Days;
  admin: boolean;
  onSearch: (part: Partial<MessageFilters>) => void;
}

/** Choices that are searched for at once. */
export const QuickDays = ({ days, admin, onSearch }: QuickDaysProps) => {
  const shift = (by: number) => {
    const sound = isDay(days.dateFrom) && isDay(days.dateTo);
    onSearch(shiftDays(sound ? days : todayOnly(new Date()), by));
  };
  const choices: { label: string; act: () => void }[] = [
    { label: t('messages.day_before'), act: () => shift(-1) },
    { label: t('messages.today'), act: () => onSearch(todayOnly(new Date())) },
    { label: t('messages.day_after'), act: () => shift(1) },
    { label: t('messages.recent'), act: () => onSearch(recentDays(new Date())) },
  ];
  if (admin)
    choices.push({
      label: t('messages.latest_update'),
      act: () => onSearch({ sort: 'updatedAt', order: 'desc' }),
    });
  return (
    <fieldset className={classes.quick} aria-label={t('messages.quick_days')}>
      {choices.map(({ label, act }) => (
        <button key={label} type="button" className={classes.chip} onClick={act}>
          {label}
        </button>
      ))}
    </fieldset>
  );
};
