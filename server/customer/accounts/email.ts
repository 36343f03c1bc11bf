import { isEmail } from '../../../contract/ground/constants.ts';
import { DomainError } from '../../ground/domain-error.ts';

/** The one spelling under which an email is stored and looked up. */
export const acceptEmail = (typed: string): string => {
  const email = typed.trim().normalize('NFC').toLowerCase();
  if (!isEmail(email) || /\p{Cc}/u.test(email)) throw new DomainError('E_EMAIL_INVALID');
  return email;
};
