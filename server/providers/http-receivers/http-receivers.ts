import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Post, Receivers } from '../../webhooks/receivers.ts';
import { faultOf } from './fault-of.ts';
import { judgeUrl, literalOf, nameOf } from './judge-url.ts';
import { AddressRefused, type NamesOptions, openNames } from './names.ts';
import { readBeginning } from './read-beginning.ts';
import { retryAfterMs } from './retry-after.ts';

export interface HttpReceiversOptions extends NamesOptions {
  /** From the call to the answer's head, including the connection. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const JUDGE_MS = 3_000;
/** A connection that nobody uses is closed after this. */
const IDLE_MS = 15_000;

interface Asked {
  response: IncomingMessage;
  request: ClientRequest;
}

/** Receivers by HTTP or HTTPS, over connections that are kept for the next event. Redirects are not followed. */
export const httpReceivers = ({ timeoutMs = TIMEOUT_MS, ...options }: HttpReceiversOptions): Receivers => {
  const names = openNames(options);
  const { lookup } = names;
  const kept = { keepAlive: true, timeout: IDLE_MS, lookup };
  const http = new HttpAgent(kept);
  const https = new HttpsAgent(kept);

  const ask = (url: URL, { headers, body }: Post, signal: AbortSignal): Promise<Asked> =>
    new Promise((resolve, reject) => {
      const secure = url.protocol === 'https:';
      const request = (secure ? requestHttps : requestHttp)(url, {
        method: 'POST',
        agent: secure ? https : http,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
      });
      request.on('response', (response) => resolve({ response, request }));
      request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })));
      request.on('close', () => reject(new Error('the connection ended without an answer')));
      request.end(body);
    });

  /** A receiver may close a kept connection at the moment of its use: then a new one is opened. */
  const askTwice = async (url: URL, post: Post, signal: AbortSignal): Promise<Asked> => {
    try {
      return await ask(url, post, signal);
    } catch (error) {
      const { reused, code } = error as { reused?: boolean; code?: string };
      if (!reused || (code !== 'ECONNRESET' && code !== 'EPIPE')) throw error;
      return ask(url, post, signal);
    }
  };

  const answerTo = async (post: Post): Promise<Omit<Answer, 'milliseconds'>> => {
    const { url, verdict } = judgeUrl(post.url, options.allowPrivate);
    if (!url || verdict === 'invalid' || verdict === 'port')
      return { status: null, fault: 'URL', body: '', retryAfterMs: undefined };
    if (verdict === 'private') return { status: null, fault: 'ADDRESS', body: '', retryAfterMs: undefined };
    const { response } = await askTwice(url, post, AbortSignal.timeout(timeoutMs));
    const status = response.statusCode ?? 0;
    const redirect = status >= 300 && status < 400;
    const beginning = await readBeginning(response);
    return {
      status,
      fault: redirect ? 'REDIRECT' : '',
      body: redirect && response.headers.location ? `Location: ${response.headers.location}` : beginning,
      retryAfterMs: retryAfterMs(response.headers['retry-after']),
    };
  };

  return {
    judge: async (text) => {
      const { url, verdict } = judgeUrl(text, options.allowPrivate);
      if (!url || verdict !== 'fine' || options.allowPrivate || literalOf(url)) return verdict;
      try {
        // Saving an address should not wait for long: the name is resolved again at each connection.
        await Promise.race([names.resolve(nameOf(url)), sleep(JUDGE_MS, undefined, { ref: false })]);
      } catch (error) {
        if (error instanceof AddressRefused) return 'private';
      }
      return 'fine';
    },
    post: async (post) => {
      const began = performance.now();
      const milliseconds = () => Math.round(performance.now() - began);
      try {
        return { ...(await answerTo(post)), milliseconds: milliseconds() };
      } catch (error) {
        const { fault, cause } = faultOf(error);
        return { status: null, fault, body: cause, milliseconds: milliseconds(), retryAfterMs: undefined };
      }
    },
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
};
