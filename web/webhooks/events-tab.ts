import { t } from '../i18n/translate.ts';

/** For whoever lists the pages of Integration. */
export const EVENTS_TAB = { label: () => t('events.title'), to: '/dashboard/integration/events' } as const;
