import type { AccountId } from '../../../contract/customer/accounts.ts';

/** A call that was made with an account's secret, and its answer. */
export interface MadeCall {
  accountId: AccountId;
  /** With the test secret. */
  test: boolean;
  atMs: number;
  method: string;
  /** Without its query. */
  path: string;
  status: number;
  durationMs: number;
  requestId: string;
  /** The JSON text; undefined if it was a file or too long to store. */
  answer: string | undefined;
}
