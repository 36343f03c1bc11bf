import { daysText } from '../../ground/i18n/days-text.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Retention } from './retention-query.ts';

const YEAR_DAYS = 365;

/** The length of a period; whole years are written as years. The rule's name says when the period starts. */
export const periodText = (name: string, days: number): string => {
  const closed = name.startsWith('closed-');
  if (closed && days % YEAR_DAYS === 0)
    return t('retention.years_after_closing', { years: days / YEAR_DAYS });
  return closed ? t('retention.days_after_closing', { days }) : daysText(days);
};

/** The result of a run as a text. */
export const runText = ({ dryRun, rows, endedAt }: Retention['log'][number]): string => {
  if (rows === 0 && endedAt) return t('retention.nothing');
  const count = formatCount(rows);
  if (dryRun) return t('retention.would_remove', { count });
  return endedAt ? t('retention.removed', { count }) : t('retention.cut_off', { count });
};
