import type { IncomingHttpHeaders } from 'node:http';

export interface HttpCall {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /**
   * Reads only so many bytes of the body, and only for so long after the head; then the connection is closed. Without
   * it the whole body is read, and the answer is lost if it is too large or incomplete.
   */
  beginning?: { bytes: number; ms: number } | undefined;
  /** The call may safely arrive twice, so it is repeated if an idle connection turns out to be closed. */
  repeatable?: boolean | undefined;
  /** Aborted when the answer is no longer wanted: the connection is then closed. */
  signal?: AbortSignal | undefined;
}

/**
 * The outcome of a call. `not-sent` is certain: not one byte of it was written, so nobody can have read it. `lost`
 * means that it may have been read and acted upon, but there is no answer.
 */
export type CallAnswer =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: string }
  | HttpFailure;

interface Failed {
  reason: string;
  /** The error behind the reason, if there is one. */
  error?: Error | undefined;
}
export type HttpFailure = ({ kind: 'not-sent' } & Failed) | ({ kind: 'lost' } & Failed);
