import { t } from '../i18n/translate.ts';

/** When to send: now, unless a time is wanted. */
export interface Later {
  wanted: boolean;
  /** YYYY-MM-DDTHH:mm on the account's clocks, as the browser's field has it. */
  sendAt: string;
  lateLimitMinutes: string;
}

export const NOW: Later = { wanted: false, sendAt: '', lateLimitMinutes: '60' };

export const laterFault = ({ wanted, sendAt }: Later): string | undefined =>
  wanted && sendAt === '' ? t('send.later.missing') : undefined;

/** As the calls take it; nothing for now. */
export const laterBody = ({ wanted, sendAt, lateLimitMinutes }: Later) =>
  wanted ? { sendAt, lateLimitMinutes: Number(lateLimitMinutes) } : {};
