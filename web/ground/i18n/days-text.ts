import { t } from './translate.ts';

export const daysText = (days: number): string => (days === 1 ? t('layout.day') : t('layout.days', { days }));
