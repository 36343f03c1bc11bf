import { ERROR_CODES, type ErrorCode } from '../../contract/errors.ts';
import { DomainError } from '../domain-error.ts';

interface Issue {
  path: PropertyKey[];
  message: string;
}

const isErrorCode = (text: string): text is ErrorCode => ERROR_CODES.includes(text as ErrorCode);

/** What is wrong with an input, by the first rule that it broke: a rule may bear an error code instead of words. */
export const inputFault = ({ path, message }: Issue): DomainError => {
  const field = path.join('.');
  if (isErrorCode(message)) return new DomainError(message, { field });
  if (field && message.endsWith('received undefined')) return new DomainError('E_FIELD_MISSING', { field });
  return new DomainError('E_INVALID_REQUEST', { reason: [field, message].filter(Boolean).join(': ') });
};
