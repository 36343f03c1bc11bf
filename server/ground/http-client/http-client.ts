import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import { TimedOut, withPlainCode } from './call-error.ts';
import { type ConnectorOptions, openConnector } from './connector.ts';
import { type Exchanged, exchange } from './exchange.ts';
import type { CallAnswer, HttpCall } from './http-call.ts';
import { openReach } from './reach.ts';
import { readHeaders } from './read-headers.ts';
import { authorized, targetOf } from './target.ts';

interface HttpClientOptions extends ConnectorOptions {
  /** How long an answer is waited for once the call is written. */
  answerMs: number;
  /** The limit for the whole call, a second attempt included. The sum of the two limits unless given. */
  callMs?: number | undefined;
  /** Connections to one origin at most. */
  connections?: number | undefined;
  /** An idle connection is closed after this. */
  idleMs?: number | undefined;
  largestAnswer?: number | undefined;
}

export interface Download {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

interface HttpClient {
  /** Never throws. Redirects are answers, not followed: a message must not go to somebody else. */
  call: (call: HttpCall) => Promise<CallAnswer>;
  /** Resolves with the head of the answer, within the limits of a call. The signal ends the body too. */
  download: (request: Pick<HttpCall, 'url' | 'headers'> & { signal: AbortSignal }) => Promise<Download>;
  /** Says why this address can't be reached just now; undefined if it can. */
  reach: (url: string) => Promise<string | undefined>;
  /** Ends every connection; what has no answer yet is lost. */
  close: () => void;
}

export type OpenHttpClient = (options: HttpClientOptions) => HttpClient;

/** An answer of a message service is a few hundred bytes. */
const LARGEST_ANSWER = 256 * 1024;
/** Shorter than servers keep an idle connection: one that they close while we use it would lose the call. */
const IDLE_MS = 4_000;
/** If the server says how long it keeps an idle connection, ours is closed this much earlier. */
const MARGIN_MS = 1_000;

export const openHttpClient: OpenHttpClient = (options) => {
  const { connectMs, answerMs, callMs = connectMs + answerMs, connections, idleMs = IDLE_MS } = options;
  const largestAnswer = options.largestAnswer ?? LARGEST_ANSWER;
  const connector = openConnector(options);
  const agent = new Agent({
    connect: connector.connect,
    allowH2: false,
    pipelining: 1,
    ...(connections !== undefined && { connections }),
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    keepAliveTimeoutThreshold: MARGIN_MS,
    // We measure the time ourselves: undici's timers are up to 500 ms late.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  /**
   * A server may close an idle connection just as it is used again. A call that was not written to it, or that may
   * arrive twice and got no byte of an answer, is sent over a new one.
   */
  const canBeSentAgain = (said: Exchanged, repeatable = false): boolean =>
    (said.kind === 'not-sent' || (said.kind === 'lost' && repeatable && !said.responseStarted)) &&
    /^(ECONNRESET|EPIPE)$/.test((said.error as NodeJS.ErrnoException).code ?? '') &&
    connector.hadAnswered((said.error.cause as Error | undefined) ?? said.error);

  const call = async (given: HttpCall): Promise<CallAnswer> => {
    const limits = { connectMs, answerMs, largestAnswer, deadline: performance.now() + callMs };
    const said = await exchange(agent, given, limits);
    return canBeSentAgain(said, given.repeatable) ? exchange(agent, given, limits) : said;
  };

  return {
    call: async (given) => {
      try {
        return await call(given);
      } catch (error) {
        // It is not a valid request, so no connection was made for it.
        return { kind: 'not-sent', reason: (error as Error).message, error: error as Error };
      }
    },
    download: async ({ url, headers, signal }) => {
      const { origin, path, authorization } = targetOf(url);
      const late = new AbortController();
      const timer = setTimeout(
        () => late.abort(new TimedOut(`there was no answer within ${callMs} ms`)),
        callMs,
      );
      try {
        const {
          statusCode: status,
          headers: given,
          body,
        } = await agent.request({
          origin,
          path,
          method: 'GET',
          headers: authorized(headers, authorization),
          signal: AbortSignal.any([signal, late.signal]),
        });
        return { status, headers: readHeaders(given), body };
      } catch (error) {
        throw withPlainCode(error as Error);
      } finally {
        clearTimeout(timer);
      }
    },
    reach: openReach(connector.connect, connectMs),
    close: () => void agent.destroy(),
  };
};
