import type { AccountId } from '../../contract/accounts.ts';

/** A call that was made with an account's secret, and what it was answered. */
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
  /** The JSON text; nothing where it was a file or too long to keep. */
  answer: string | undefined;
}
