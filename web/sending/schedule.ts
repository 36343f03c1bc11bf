import { t } from '../i18n/translate.ts';

/** When to send: now, unless a time is wanted. */
export interface Schedule {
  wanted: boolean;
  /** YYYY-MM-DDTHH:mm in the account's time zone, as the browser's field has it. */
  sendAt: string;
  lateLimitMinutes: string;
}

export const SEND_NOW: Schedule = { wanted: false, sendAt: '', lateLimitMinutes: '60' };

export const scheduleFault = ({ wanted, sendAt }: Schedule): string | undefined =>
  wanted && sendAt === '' ? t('send.later.missing') : undefined;

/** The part of the call's body; empty to send now. */
export const scheduleBody = ({ wanted, sendAt, lateLimitMinutes }: Schedule) =>
  wanted ? { sendAt, lateLimitMinutes: Number(lateLimitMinutes) } : {};
