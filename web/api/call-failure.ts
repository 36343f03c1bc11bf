import { ApiError } from './api-error.ts';

/** Why a call that spends money failed. */
export interface CallFailure {
  message: string;
  /** Whether the server carried it out is not known. */
  unknown: boolean;
}

/** A server that failed may have stored the request before it did; one that found no lane has not. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500) && error.code !== 'E_NO_LANE';

export const callFailure = (error: unknown): CallFailure => ({
  message: error instanceof Error ? error.message : String(error),
  unknown: isUnknown(error),
});
