import { ERROR_CODES, type ErrorCode } from '../../../contract/ground/errors.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { type InputIssue, inputPhrase } from './input-phrase.ts';

const isErrorCode = (text: string): text is ErrorCode => ERROR_CODES.includes(text as ErrorCode);

/** What is wrong with an input, by the first rule that it broke: a rule may bear an error code instead of words. */
export const inputFault = (issue: InputIssue): DomainError => {
  const { path, message } = issue;
  const field = path.join('.');
  if (isErrorCode(message)) return new DomainError(message, { field });
  if (field && message.endsWith('received undefined')) return new DomainError('E_FIELD_MISSING', { field });
  return new DomainError('E_INVALID_REQUEST', { reason: inputPhrase(issue) });
};
