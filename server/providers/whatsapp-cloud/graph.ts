import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { CloudOptions } from './cloud-options.ts';

export interface Answer {
  status: number;
  /** Undefined when it is no JSON. */
  body: unknown;
}

/** No answer came. Whether the request went out is what decides about sending it again. */
export class NoAnswer extends Error {
  readonly sent: boolean;
  constructor(message: string, { sent, cause }: { sent: boolean; cause?: unknown }) {
    super(message, { cause });
    this.sent = sent;
  }
}

export type GraphOptions = Pick<CloudOptions, 'apiBase' | 'apiVersion' | 'token' | 'window' | 'timeoutMs'>;

const MOST_ANSWER_BYTES = 1024 * 1024;
/** Meta's servers keep an idle connection for longer: so it is ours to close it, and none is used as it closes. */
const IDLE_MS = 4_000;
const CONNECT_MS = 10_000;

const readJson = async (answer: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Requests to the Graph API over connections that are kept open. */
export const openGraph = ({ apiBase, apiVersion, token, window, timeoutMs }: GraphOptions) => {
  const secure = apiBase.startsWith('https:');
  const agentOptions = { keepAlive: true, maxSockets: window, maxFreeSockets: window, timeout: IDLE_MS };
  const agents = { 'http:': new http.Agent(agentOptions), 'https:': new https.Agent(agentOptions) };

  /** Answers once the headers are there. */
  const request = (
    url: URL,
    { method, body, signal }: { method: 'GET' | 'POST'; body?: string; signal?: AbortSignal | undefined },
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      let connected = false;
      const { request: ask } = url.protocol === 'https:' ? https : http;
      const asked = ask(url, {
        method,
        agent: agents[url.protocol as keyof typeof agents],
        signal,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      });
      const failed = (error: Error): void => {
        clearTimeout(timer);
        reject(new NoAnswer(error.message, { sent: connected, cause: error }));
      };
      const timer = setTimeout(() => asked.destroy(new Error('there was no answer in time')), timeoutMs);
      asked.on('socket', (socket) => {
        if (!socket.connecting) {
          connected = true;
          return;
        }
        const slow = setTimeout(
          () => asked.destroy(new Error('no connection came about in time')),
          CONNECT_MS,
        );
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
          clearTimeout(slow);
          connected = true;
        });
        socket.once('close', () => clearTimeout(slow));
      });
      asked.on('response', (answer) => {
        // A caller that passes a signal also has to watch the body.
        if (signal) clearTimeout(timer);
        else answer.on('close', () => clearTimeout(timer));
        resolve(answer);
      });
      asked.on('error', failed);
      asked.end(body);
    });

  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const url = new URL(`${apiBase.replace(/\/$/, '')}/${apiVersion}/${path}`);
    const answer = await request(url, { method, ...(body && { body: JSON.stringify(body) }) });
    try {
      return { status: answer.statusCode ?? 0, body: await readJson(answer) };
    } catch (error) {
      throw new NoAnswer((error as Error).message, { sent: true, cause: error });
    }
  };

  return {
    post: (path: string, body: object): Promise<Answer> => call('POST', path, body),
    get: (path: string): Promise<Answer> => call('GET', path),
    /** Of an address that the API gave. Our token goes along, so never to an open connection. */
    download: async (address: string, signal: AbortSignal): Promise<IncomingMessage> => {
      const url = new URL(address);
      if (url.protocol !== 'https:' && (secure || url.protocol !== 'http:'))
        throw new Error('the address of media is not https');
      return request(url, { method: 'GET', signal });
    },
    close: (): void => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
};
export type Graph = ReturnType<typeof openGraph>;
