import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenHttpClient } from '../../ground/http-client/index.ts';
import type { Post, ReceiverAnswer, Receivers } from '../../traffic/webhooks/receivers.ts';
import { hostNameOf, judgeUrl, literalOf } from './judge-url.ts';
import { AddressRefused, type NamesOptions, openNames } from './names.ts';
import { receiverFault } from './receiver-fault.ts';
import { retryAfterMs } from './retry-after.ts';

export interface HttpReceiversOptions extends NamesOptions {
  /** From the call to the answer's head, including the connection. */
  timeoutMs?: number;
  openHttpClient: OpenHttpClient;
}

const TIMEOUT_MS = 10_000;
const JUDGE_MS = 3_000;
/** A connection that nobody uses is closed after this. */
const IDLE_MS = 15_000;
/** How much of an answer is read, and for how long: its status says whether the event was taken. */
const BEGINNING = { bytes: 4_096, ms: 1_000 };
/** How much of it is kept to be shown. */
const KEPT_CHARACTERS = 1_000;

type Judged = Omit<ReceiverAnswer, 'milliseconds'>;
const withoutAnswer = (fault: ReceiverAnswer['fault'], cause = ''): Judged => ({
  status: null,
  fault,
  body: cause,
  retryAfterMs: undefined,
});

const shown = (body: string): string => body.replaceAll('\0', '').slice(0, KEPT_CHARACTERS);

/** Receivers by HTTP or HTTPS, over connections that are kept for the next event. Redirects are not followed. */
export const httpReceivers = ({
  timeoutMs = TIMEOUT_MS,
  openHttpClient,
  ...options
}: HttpReceiversOptions): Receivers => {
  const names = openNames(options);
  const http = openHttpClient({
    connectMs: timeoutMs,
    answerMs: timeoutMs,
    callMs: timeoutMs,
    idleMs: IDLE_MS,
    // The address that was checked is the one that is connected to.
    lookup: names.lookup,
  });

  const answerTo = async ({ url: text, headers, body }: Post): Promise<Judged> => {
    const { url, verdict } = judgeUrl(text, options.allowPrivate);
    if (!url || verdict === 'invalid' || verdict === 'port') return withoutAnswer('URL');
    if (verdict === 'private') return withoutAnswer('ADDRESS');
    // Each event has an id, so a receiver can tell that it came twice.
    const said = await http.call({
      method: 'POST',
      url: url.href,
      headers,
      body,
      beginning: BEGINNING,
      repeatable: true,
    });
    if (said.kind !== 'answered') {
      const { fault, cause } = receiverFault(said.error);
      return withoutAnswer(fault, cause);
    }
    const { status } = said;
    const { location, 'retry-after': retryAfter } = said.headers;
    const redirect = status >= 300 && status < 400;
    return {
      status,
      fault: redirect ? 'REDIRECT' : '',
      body: redirect && location ? `Location: ${location}` : shown(said.body),
      retryAfterMs: retryAfterMs(retryAfter),
    };
  };

  return {
    judge: async (text) => {
      const { url, verdict } = judgeUrl(text, options.allowPrivate);
      if (!url || verdict !== 'fine' || options.allowPrivate || literalOf(url)) return verdict;
      try {
        // Saving an address should not wait for long: the name is resolved again at each connection.
        await Promise.race([names.resolve(hostNameOf(url)), sleep(JUDGE_MS, undefined, { ref: false })]);
      } catch (error) {
        if (error instanceof AddressRefused) return 'private';
      }
      return 'fine';
    },
    post: async (post) => {
      const began = performance.now();
      const answer = await answerTo(post);
      return { ...answer, milliseconds: Math.round(performance.now() - began) };
    },
    close: http.close,
  };
};
