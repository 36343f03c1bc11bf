import type { ErrorCode } from '../../contract/ground/errors.ts';
import type { TextValues } from './translations/index.ts';

/** An expected refusal. Its text comes from the translation table by its code; `params` fill the placeholders. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly params: TextValues;

  constructor(code: ErrorCode, params: TextValues = {}) {
    super(code);
    this.name = 'DomainError';
    this.code = code;
    this.params = params;
  }
}
