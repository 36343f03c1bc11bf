import { isMoment, toMomentText, toWireMoment } from '../../ground/i18n/moment-text.ts';
import { t } from '../../ground/i18n/translate.ts';

/** When to send: now, unless a time is wanted. */
export interface Schedule {
  wanted: boolean;
  /** yyyy-MM-dd HH:mm in the account's time zone, as far as it was typed. */
  sendAt: string;
  lateLimitMinutes: string;
}

export const SEND_NOW: Schedule = { wanted: false, sendAt: '', lateLimitMinutes: '60' };

/** Says what the button does; the day is named unless it is today. */
export const scheduleLabel = ({ wanted, sendAt }: Schedule, now: string): string | undefined => {
  if (!wanted || !isMoment(sendAt)) return undefined;
  const [day = '', time = ''] = toMomentText(sendAt).split(' ');
  return t('send.schedule_for', { time: now.startsWith(day) ? time : `${day} ${time}` });
};

export const scheduleFault = ({ wanted, sendAt }: Schedule): string | undefined => {
  if (!wanted || isMoment(sendAt)) return undefined;
  return sendAt.trim() === '' ? t('send.later.missing') : t('send.later.invalid');
};

/** The part of the call's body; empty to send now. */
export const scheduleBody = ({ wanted, sendAt, lateLimitMinutes }: Schedule) =>
  wanted ? { sendAt: toWireMoment(sendAt), lateLimitMinutes: Number(lateLimitMinutes) } : {};
