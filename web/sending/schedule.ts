import { t } from '../i18n/translate.ts';

/** When to send: now, unless a time is wanted. */
export interface Schedule {
  wanted: boolean;
  /** YYYY-MM-DDTHH:mm in the account's time zone, as the browser's field has it. */
  sendAt: string;
  lateLimitMinutes: string;
}

export const SEND_NOW: Schedule = { wanted: false, sendAt: '', lateLimitMinutes: '60' };

/** Says what the button does; the day is named unless it is today. */
export const scheduleLabel = ({ wanted, sendAt }: Schedule, now: string): string | undefined => {
  if (!wanted || sendAt === '') return undefined;
  const [day = '', time = ''] = sendAt.split('T');
  return t('send.schedule_for', { time: now.startsWith(day) ? time : `${day} ${time}` });
};

export const scheduleFault = ({ wanted, sendAt }: Schedule): string | undefined =>
  wanted && sendAt === '' ? t('send.later.missing') : undefined;

/** The part of the call's body; empty to send now. */
export const scheduleBody = ({ wanted, sendAt, lateLimitMinutes }: Schedule) =>
  wanted ? { sendAt, lateLimitMinutes: Number(lateLimitMinutes) } : {};
