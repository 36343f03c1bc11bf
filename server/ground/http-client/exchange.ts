import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { describeError, TimedOut, withPlainCode } from './call-error.ts';
import type { CallAnswer, HttpCall, HttpFailure } from './http-call.ts';
import { readHeaders } from './read-headers.ts';
import { authorized, targetOf } from './target.ts';

interface Limits {
  /** From the call to its first byte, including the wait for a free connection. */
  connectMs: number;
  /** From there to the end of the answer, or to its head if only the beginning of its body is read. */
  answerMs: number;
  /** When the call is given up in any case, by the clock of `performance`. */
  deadline: number;
  /** A larger answer is lost. */
  largestAnswer: number;
}

export type Exchanged =
  | Exclude<CallAnswer, HttpFailure>
  | (HttpFailure & { error: Error; responseStarted: boolean });

const textOf = (chunks: Buffer[]): string =>
  (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString('utf8');

/**
 * One request and its answer. undici calls `onRequestStart` right before it writes the request to an established
 * connection, so a call that fails earlier was certainly not sent. The request is never written a second time.
 */
export const exchange = (agent: Dispatcher, call: HttpCall, limits: Limits): Promise<Exchanged> =>
  new Promise((resolve) => {
    const { method, headers, body, beginning, signal } = call;
    const { origin, path, authorization } = targetOf(call.url);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let controller: Dispatcher.DispatchController | undefined;
    let head: { status: number; headers: IncomingHttpHeaders } | undefined;
    let responseStarted = false;
    let settled = false;
    let timer: NodeJS.Timeout;

    const settle = (exchanged: Exchanged): void => {
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      resolve(exchanged);
    };
    const fail = (given: Error): void => {
      if (settled) return;
      const error = withPlainCode(given);
      settle({
        kind: controller ? 'lost' : 'not-sent',
        reason: describeError(error),
        error,
        responseStarted,
      });
      controller?.abort(error);
    };
    const leave = (): void => fail(new Error('the caller has left'));
    const finish = (): void => {
      if (settled || !head) return;
      settle({ kind: 'answered', ...head, body: textOf(chunks) });
    };
    const cut = (): void => {
      finish();
      controller?.abort(new Error('no more of the answer is read'));
    };
    const giveUpAfter = (ms: number, what: string): void => {
      clearTimeout(timer);
      const leftMs = Math.min(ms, limits.deadline - performance.now());
      timer = setTimeout(() => fail(new TimedOut(`${what} within ${ms} ms`)), leftMs);
    };

    giveUpAfter(limits.connectMs, 'there was no connection');
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted) return leave();
    agent.dispatch(
      {
        origin,
        path,
        method,
        headers: authorized(headers, authorization),
        ...(body !== undefined && { body }),
      },
      {
        onRequestStart: (given) => {
          const again = controller !== undefined;
          controller ??= given;
          if (again) fail(new Error('the request would have been sent twice'));
          // Aborting here writes nothing: the caller has been told that the call was not sent.
          if (settled) return given.abort(new Error('the call was given up'));
          giveUpAfter(limits.answerMs, 'there was no answer');
        },
        onResponseStarted: () => {
          responseStarted = true;
        },
        onResponseStart: (_, status, given) => {
          // An interim response, such as 103 Early Hints.
          if (status < 200) return;
          head = { status, headers: readHeaders(given) };
          if (!beginning) return;
          clearTimeout(timer);
          timer = setTimeout(cut, beginning.ms);
        },
        onResponseData: (_, chunk) => {
          bytes += chunk.length;
          if (!beginning && bytes > limits.largestAnswer) return fail(new Error('the answer is too large'));
          chunks.push(chunk);
          if (beginning && bytes > beginning.bytes) cut();
        },
        onResponseEnd: () => {
          clearTimeout(timer);
          // undici frees the connection in the next turn of the event loop. The caller's next call shall reuse it.
          queueMicrotask(() => setImmediate(finish));
        },
        onResponseError: (_, error) => {
          if (beginning) finish();
          fail(error);
        },
      },
    );
  });
