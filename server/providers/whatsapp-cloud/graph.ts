import type { CallAnswer, Download, OpenHttpClient } from '../../ground/http-client/index.ts';
import type { CloudOptions } from './cloud-options.ts';

interface Answer {
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

interface GraphOptions
  extends Pick<CloudOptions, 'apiBase' | 'apiVersion' | 'token' | 'window' | 'timeoutMs'> {
  openHttpClient: OpenHttpClient;
}

const LARGEST_ANSWER = 1024 * 1024;
const CONNECT_MS = 10_000;

const readJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const answerOf = (said: CallAnswer): Answer => {
  if (said.kind === 'answered') return { status: said.status, body: readJson(said.body) };
  const { error, reason } = said;
  throw new NoAnswer(error?.message || reason, { sent: said.kind === 'lost', cause: error });
};

/** Requests to the Graph API over connections that are kept open. */
export const openGraph = (options: GraphOptions) => {
  const { apiBase, apiVersion, token, window, timeoutMs, openHttpClient } = options;
  const secure = apiBase.startsWith('https:');
  const http = openHttpClient({
    connectMs: Math.min(CONNECT_MS, timeoutMs),
    answerMs: timeoutMs,
    callMs: timeoutMs,
    // One more than messages in flight, for the probe of the number.
    connections: window + 1,
    largestAnswer: LARGEST_ANSWER,
  });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const urlOf = (path: string): string => `${apiBase.replace(/\/$/, '')}/${apiVersion}/${path}`;

  return {
    post: async (path: string, body: object): Promise<Answer> =>
      answerOf(
        await http.call({
          method: 'POST',
          url: urlOf(path),
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    get: async (path: string): Promise<Answer> =>
      answerOf(await http.call({ method: 'GET', url: urlOf(path), headers })),
    /** Of an address that the API gave. Our token goes along, so never to an open connection. */
    download: async (address: string, signal: AbortSignal): Promise<Download> => {
      const { protocol } = new URL(address);
      if (protocol !== 'https:' && (secure || protocol !== 'http:'))
        throw new Error('the address of media is not https');
      return http.download({ url: address, headers, signal });
    },
    close: http.close,
  };
};
export type Graph = ReturnType<typeof openGraph>;
