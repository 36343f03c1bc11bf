import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { connect, isIP } from 'node:net';
import { connect as connectSecure } from 'node:tls';

export interface HttpCall {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/**
 * The outcome of a call. `not-sent` is certain: no connection was made, so nobody can have read it. `lost` means that
 * it may have been read and acted upon, but there is no answer.
 */
export type CallAnswer =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: string }
  | { kind: 'not-sent'; reason: string }
  | { kind: 'lost'; reason: string };

export interface HttpClientOptions {
  connectMs: number;
  answerMs: number;
}

export interface HttpClient {
  /** Never throws. Redirects are answers, not followed: a message must not go to somebody else. */
  call: (call: HttpCall) => Promise<CallAnswer>;
  /** Says why this address can't be reached just now; undefined if it can. */
  reach: (url: string) => Promise<string | undefined>;
  /** Ends every connection; what has no answer yet is lost. */
  close: () => void;
}

/** An answer of a message service is a few hundred bytes. */
const LARGEST_ANSWER = 256 * 1024;
/** The far end may close a connection that was idle for longer just as we use it, and the call would be lost. */
const REST_MS = 4_000;

const describe = (error: NodeJS.ErrnoException): string => error.code ?? error.message;

const readBody = (response: IncomingMessage, done: (body: string | Error) => void): void => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LARGEST_ANSWER) response.destroy(new Error('the answer is too large'));
    else chunks.push(chunk);
  });
  response.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
  response.on('error', done);
  response.on('close', () => done(new Error('the answer was cut off')));
};

export const openHttpClient = ({ connectMs, answerMs }: HttpClientOptions): HttpClient => {
  const resting = { keepAlive: true, timeout: REST_MS };
  const agents = { plain: new Agent(resting), secure: new SecureAgent(resting) };

  const call = ({ method, url, headers, body }: HttpCall): Promise<CallAnswer> =>
    new Promise((resolve) => {
      const secure = url.startsWith('https:');
      let connected = false;
      let timer: NodeJS.Timeout;
      const settle = (answer: CallAnswer): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      const fail = (reason: string): void => settle({ kind: connected ? 'lost' : 'not-sent', reason });
      const length = body === undefined ? undefined : Buffer.byteLength(body);
      const options = {
        method,
        headers: { ...headers, ...(length !== undefined && { 'content-length': String(length) }) },
        agent: secure ? agents.secure : agents.plain,
      };
      const request = secure ? requestSecure(url, options) : requestPlain(url, options);
      const giveUpAfter = (ms: number, what: string): void => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          fail(`${what} within ${ms} ms`);
          request.destroy();
        }, ms);
      };
      const isConnected = (): void => {
        connected = true;
        giveUpAfter(answerMs, 'there was no answer');
      };
      giveUpAfter(connectMs, 'there was no connection');
      request.on('socket', (socket) => {
        if (request.reusedSocket || socket.bytesWritten > 0) isConnected();
        else socket.once(secure ? 'secureConnect' : 'connect', isConnected);
      });
      request.on('error', (error) => fail(describe(error)));
      request.on('response', (response) => {
        connected = true;
        readBody(response, (read) =>
          read instanceof Error
            ? fail(describe(read))
            : settle({
                kind: 'answered',
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: read,
              }),
        );
      });
      request.end(body);
    });

  const reach = (url: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      const { protocol, hostname, port } = new URL(url);
      const secure = protocol === 'https:';
      const host = hostname.replace(/^\[|\]$/g, '');
      const target = { host, port: Number(port) || (secure ? 443 : 80) };
      const named = isIP(host) ? {} : { servername: host };
      const socket = secure ? connectSecure({ ...target, ...named }) : connect(target);
      const end = (reason?: string): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(reason);
      };
      const timer = setTimeout(() => end(`there was no connection within ${connectMs} ms`), connectMs);
      socket.once(secure ? 'secureConnect' : 'connect', () => end());
      socket.on('error', (error) => end(describe(error)));
    });

  return {
    call: async (given) => {
      try {
        return await call(given);
      } catch (error) {
        // Node refuses what is no request at all, such as a header with a line break, before it connects.
        return { kind: 'not-sent', reason: (error as Error).message };
      }
    },
    reach,
    close: () => {
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
};
