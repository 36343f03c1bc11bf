import type { Body } from '../../../contract/calls.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import { isEmail } from '../../../contract/ground/constants.ts';
import { isAboutRecipient } from '../../ground/api/call-failure.ts';
import type { UploadRequest } from '../../ground/api/csv-form.ts';
import { t } from '../../ground/i18n/translate.ts';
import { fileFault } from './file/file-fault.ts';
import { type Schedule, SEND_NOW, scheduleBody, scheduleFault } from './schedule.ts';

/** A channel, or a sender of the account's own. */
export interface Way {
  channel: Channel;
  fromPhone?: string;
}

/** One recipient, or those of a file. */
export type Target = 'phone' | 'csv';

/** The state of the form. Values that one channel or target does not use are kept for when another is chosen. */
export interface Draft {
  way: Way;
  target: Target;
  /** Undefined before one was chosen; empty if none is wanted. */
  device: string | undefined;
  /** Two letters: the country of a number without its code. */
  country: string;
  phone: string;
  address: string;
  subject: string;
  message: string;
  file: File | undefined;
  /** The message for all rows of the file; empty where each row has its own. */
  template: string;
  schedule: Schedule;
}

/** The form after it was sent: ready for the next message by the same way. */
export const cleared = (draft: Draft): Draft => ({
  ...draft,
  phone: '',
  address: '',
  subject: '',
  message: '',
  file: undefined,
  template: '',
  schedule: SEND_NOW,
});

export type DraftField = 'device' | 'phone' | 'address' | 'message' | 'file' | 'template' | 'schedule';
export type Faults = Partial<Record<DraftField, string>>;

/** The field that a refusal of the server is about. */
export const refusedField = (code: string, { way }: Draft): DraftField | undefined => {
  if (isAboutRecipient(code)) return way.channel === 'email' ? 'address' : 'phone';
  if (/^E_(MESSAGE|TOO_MANY_SEGMENTS)/.test(code)) return 'message';
  return code.startsWith('E_SEND_AT') ? 'schedule' : undefined;
};

export interface DraftedRequest {
  channel: Channel;
  body: Body<'POST /:channel/send'>;
}

/** Stands for the number that the operator has set up; requests need not name it. */
export const BUSINESS_NUMBER = 'business';
export const SIMULATOR = 'simulator';

/** The server's limit for any message; each channel has a smaller one. */
const MESSAGE_MAX_LENGTH = 20_000;

const addressFault = (address: string): string | undefined => {
  if (address.trim() === '') return t('send.address_missing');
  return isEmail(address.trim()) ? undefined : t('guest.email_invalid');
};

const lengthFault = (message: string): string | undefined =>
  message.length > MESSAGE_MAX_LENGTH
    ? t('send.message_too_long', { maximum: MESSAGE_MAX_LENGTH })
    : undefined;

const messageFault = (message: string): string | undefined =>
  message.trim() === '' ? t('send.message_missing') : lengthFault(message);

const targetFaults = ({ target, way, phone, address, message, file, template, schedule }: Draft): Faults => {
  if (target === 'csv') return { file: fileFault(file), template: lengthFault(template) };
  return way.channel === 'email'
    ? { address: addressFault(address), message: messageFault(message), schedule: scheduleFault(schedule) }
    : {
        phone: phone.trim() === '' ? t('send.phone_missing') : undefined,
        message: messageFault(message),
        schedule: scheduleFault(schedule),
      };
};

/** The faults of the form, in its order. Only the server decides whether a number is valid. */
export const draftFaults = (draft: Draft): Faults => {
  const device = draft.way.channel === 'whatsapp' && !draft.device ? t('send.device_missing') : undefined;
  const found = Object.entries({ device, ...targetFaults(draft) });
  return Object.fromEntries(found.filter(([, fault]) => fault !== undefined));
};

/** The sender that a request names, if any. */
export const senderOf = ({ way, device }: Draft): string | undefined =>
  way.channel === 'whatsapp' ? (device === BUSINESS_NUMBER ? undefined : device) : way.fromPhone;

export const requestOf = (draft: Draft): DraftedRequest => {
  const { way, country, phone, address, subject, message } = draft;
  const { channel } = way;
  if (channel === 'email')
    return {
      channel,
      body: {
        phone: address.trim(),
        message,
        ...(subject.trim() && { subject: subject.trim() }),
        ...(way.fromPhone && { fromPhone: way.fromPhone }),
        ...scheduleBody(draft.schedule),
      },
    };
  const from = senderOf(draft);
  return {
    channel,
    body: {
      phone: phone.trim(),
      countryCode: country,
      message,
      ...(from && { fromPhone: from }),
      ...scheduleBody(draft.schedule),
    },
  };
};

/** Undefined without a file. */
export const uploadRequestOf = (draft: Draft): UploadRequest | undefined => {
  const { way, country, subject, file, template } = draft;
  if (!file) return undefined;
  const email = way.channel === 'email';
  const fields = {
    fromPhone: senderOf(draft),
    countryCode: email ? undefined : country,
    message: template.trim() && template,
    subject: email ? subject.trim() : undefined,
  };
  return {
    channel: way.channel,
    file,
    fields: Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1]),
    ),
  };
};
