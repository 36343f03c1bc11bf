import type { ErrorCode } from '../../../contract/ground/errors.ts';
import { t } from '../i18n/translate.ts';

/** A call that failed. `message` is in the reader's language and fit to be shown. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'E_NETWORK';
  /** Zero when no answer came at all. */
  readonly status: number;
  readonly requestId: string;

  constructor(fault: { code: ErrorCode | 'E_NETWORK'; message: string; status: number; requestId: string }) {
    super(fault.message);
    this.name = 'ApiError';
    this.code = fault.code;
    this.status = fault.status;
    this.requestId = fault.requestId;
  }
}

/** Offline, refused, interrupted and too slow are the same to the reader: one error covers them. */
export const networkFault = () =>
  new ApiError({ code: 'E_NETWORK', message: t('api.network'), status: 0, requestId: '' });
