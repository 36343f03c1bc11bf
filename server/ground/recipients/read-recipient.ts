import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Channel } from '../../../contract/ground/channels.ts';
import { isEmail } from '../../../contract/ground/constants.ts';
import { DomainError } from '../domain-error.ts';
import { countryOfCallingCode, readPlainNumber } from './plain-number.ts';

interface Recipient {
  /** E.164, or an email address. */
  recipient: string;
  /** Two letters; '' for an email, and for a number that belongs to no country. */
  country: string;
}

/** As much as a call may have. The refusals of a file's cells are stored, and a cell may have far more. */
const SHOWN_LENGTH = 320;

/** A number that names its country is judged by that country, not by the default one. */
const refusal = (recipientRaw: string, defaultCountry: CountryCode): DomainError => {
  const phone = recipientRaw.slice(0, SHOWN_LENGTH).toWellFormed();
  const international = /^[+＋]/.test(phone);
  const country = international ? countryOfCallingCode(`+${phone.replace(/\D/g, '')}`) : defaultCountry;
  if (!country) return new DomainError('E_CALLING_CODE_UNKNOWN', { phone });
  return new DomainError('E_PHONE_INVALID', {
    phone,
    country,
    callingCode: `+${getCountryCallingCode(country)}`,
  });
};

/** By the numbering plan of its country; only the carrier knows whether somebody has the number. */
const readPhone = (recipientRaw: string, defaultCountry: CountryCode): Recipient => {
  const plain = readPlainNumber(recipientRaw, defaultCountry);
  if (plain) return plain;
  const number = parsePhoneNumberFromString(recipientRaw, { defaultCountry, extract: false });
  if (!number?.isValid() || number.ext) throw refusal(recipientRaw, defaultCountry);
  return { recipient: number.number, country: number.country ?? '' };
};

/** The part before the @ is up to the receiver, so it is kept as it is. */
const readAddress = (recipientRaw: string): Recipient => {
  const address = recipientRaw.normalize('NFC').replace(/@[^@]*$/, (domain) => domain.toLowerCase());
  if (!isEmail(address) || /\p{Cc}/u.test(address) || !address.isWellFormed())
    throw new DomainError('E_EMAIL_INVALID');
  return { recipient: address, country: '' };
};

export const readRecipient = (
  channel: Channel,
  recipientRaw: string,
  defaultCountry: CountryCode,
): Recipient => {
  const trimmed = recipientRaw.trim();
  if (trimmed === '') throw new DomainError('E_RECIPIENT_EMPTY');
  return channel === 'email' ? readAddress(trimmed) : readPhone(trimmed, defaultCountry);
};
