import type { ErrorCode } from '../contract/errors.ts';

/** An expected refusal. Its text comes from the translation table by its code; `params` fill the placeholders. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly params: Record<string, string | number>;

  constructor(code: ErrorCode, params: Record<string, string | number> = {}) {
    super(code);
    this.name = 'DomainError';
    this.code = code;
    this.params = params;
  }
}
