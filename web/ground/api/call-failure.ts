import { ApiError } from './api-error.ts';

/** Why a call that spends money failed. */
export interface CallFailure {
  message: string;
  /** Empty for one that the server did not give. */
  code: string;
  /** Whether the server carried it out is not known. */
  unknown: boolean;
}

/** A server that failed may have stored the request before it did; one that found no lane has not. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500) && error.code !== 'E_NO_LANE';

export const callFailure = (error: unknown): CallFailure => ({
  message: error instanceof Error ? error.message : String(error),
  code: error instanceof ApiError ? error.code : '',
  unknown: isUnknown(error),
});

/** Whether a refusal is about the number or address, so that it belongs beside that field. */
export const isAboutRecipient = (code: string): boolean =>
  /^E_(PHONE|CALLING_CODE|RECIPIENT|EMAIL_INVALID|OPTED_OUT|COUNTRY)/.test(code);
