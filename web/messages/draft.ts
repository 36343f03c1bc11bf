import type { Body } from '../../contract/calls.ts';
import { isEmail } from '../../contract/constants.ts';
import type { Channel } from '../../contract/messages.ts';
import { t } from '../i18n/translate.ts';

/** A channel, or a dedicated number of it. */
export interface Way {
  channel: Channel;
  fromPhone?: string;
}

/** What has been typed so far. What one channel does not use is kept for when another is chosen. */
export interface Draft {
  way: Way;
  device: string;
  /** Two letters: the country of a number without its code. */
  country: string;
  phone: string;
  address: string;
  subject: string;
  message: string;
}

export type DraftField = 'device' | 'phone' | 'address' | 'message';
export type Faults = Partial<Record<DraftField, string>>;

export interface SendRequest {
  channel: Channel;
  body: Body<'POST /:channel/send'>;
}

/** The server's bound on any message; each channel has a smaller one of its own. */
const MESSAGE_MAX_LENGTH = 20_000;

const addressFault = (address: string): string | undefined => {
  if (address.trim() === '') return t('send.address_missing');
  return isEmail(address.trim()) ? undefined : t('guest.email_invalid');
};

const messageFault = (message: string): string | undefined => {
  if (message.trim() === '') return t('send.message_missing');
  return message.length > MESSAGE_MAX_LENGTH
    ? t('send.message_too_long', { maximum: MESSAGE_MAX_LENGTH })
    : undefined;
};

/** In words what is missing, in the order of the form. Whether a number is one, the server decides. */
export const faultsOf = ({ way, device, phone, address, message }: Draft): Faults => {
  const found: Record<DraftField, string | undefined> = {
    device: way.channel === 'whatsapp' && device === '' ? t('send.device_missing') : undefined,
    phone: way.channel !== 'email' && phone.trim() === '' ? t('send.phone_missing') : undefined,
    address: way.channel === 'email' ? addressFault(address) : undefined,
    message: messageFault(message),
  };
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined));
};

export const requestOf = ({ way, device, country, phone, address, subject, message }: Draft): SendRequest => {
  const { channel, fromPhone } = way;
  if (channel === 'email')
    return {
      channel,
      body: { phone: address.trim(), message, ...(subject.trim() && { subject: subject.trim() }) },
    };
  const from = channel === 'whatsapp' ? device : fromPhone;
  return {
    channel,
    body: { phone: phone.trim(), countryCode: country, message, ...(from && { fromPhone: from }) },
  };
};
