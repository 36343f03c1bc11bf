import type { Readable } from 'node:stream';
import type { FetchFile } from '../../fleet/devices/driver.ts';
import type { OpenHttpClient } from '../../ground/http-client/index.ts';
import { judgeUrl } from './judge-url.ts';
import { type NamesOptions, openNames } from './names.ts';
import { receiverFault } from './receiver-fault.ts';

interface PublicFilesOptions extends NamesOptions {
  openHttpClient: OpenHttpClient;
}

type Fetched = Awaited<ReturnType<FetchFile>>;

const CONNECT_MS = 10_000;
const ANSWER_MS = 10_000;
const MOST_REDIRECTS = 3;
const REFUSED = 'Its address may not be fetched from.';
const UNKNOWN_TYPE = 'application/octet-stream';

const lasting = (fault: string): Fetched => ({ fault, retryable: false });
const passing = (fault: string): Fetched => ({ fault, retryable: true });

/** Undefined if it is larger. */
const readAll = async (body: Readable, mostBytes: number): Promise<Buffer | undefined> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > mostBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

/** Files of customers, by addresses that are judged like those of their webhooks, each redirect too. */
export const publicFiles = ({ openHttpClient, ...options }: PublicFilesOptions): FetchFile => {
  const names = openNames(options);
  // The address that was checked is the one that is connected to.
  const http = openHttpClient({ connectMs: CONNECT_MS, answerMs: ANSWER_MS, lookup: names.lookup });

  const fetchFrom = async (
    text: string,
    { mostBytes, signal, redirects }: { mostBytes: number; signal: AbortSignal; redirects: number },
  ): Promise<Fetched> => {
    const { url, verdict } = judgeUrl(text, options.allowPrivate);
    if (!url || verdict !== 'fine') return lasting(REFUSED);
    const { status, headers, body } = await http.download({ url: url.href, headers: {}, signal });
    // What is left of an answer is not read.
    body.on('error', () => {});
    try {
      if (status >= 300 && status < 400) {
        const next = headers.location && URL.parse(headers.location, url.href);
        return next && redirects > 0
          ? await fetchFrom(next.href, { mostBytes, signal, redirects: redirects - 1 })
          : lasting('Its address leads elsewhere.');
      }
      if (status !== 200) {
        const fault = `Its address answered with ${status}.`;
        return status >= 500 || status === 429 ? passing(fault) : lasting(fault);
      }
      const bytes = await readAll(body, mostBytes);
      if (!bytes) return lasting(`It is larger than ${mostBytes} bytes.`);
      return {
        bytes,
        mimeType: headers['content-type']?.split(';')[0]?.trim().toLowerCase() || UNKNOWN_TYPE,
      };
    } finally {
      body.destroy();
    }
  };

  return async (url, { mostBytes, timeoutMs }) => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      return await fetchFrom(url, { mostBytes, signal, redirects: MOST_REDIRECTS });
    } catch (error) {
      const { fault, cause } = receiverFault(error);
      return fault === 'ADDRESS' ? lasting(REFUSED) : passing(`It could not be fetched: ${cause || fault}.`);
    }
  };
};
