import { ApiError, networkFault } from './api-error.ts';
import { type AnyOptions, callUrl, headersOf, parsed, replyFault } from './call.ts';
import { endSession, storedToken } from './session.ts';

interface StreamOptions extends Pick<AnyOptions, 'params' | 'query'> {
  /** Aborting it ends the call, and throws. */
  signal: AbortSignal;
  onChunk: (chunk: Uint8Array) => void;
}

/** A connection without any data for this long is considered dead. */
const STALLED_MS = 60_000;
/** Received data is turned into blobs of this size, which the browser may keep on disk. */
const PART_BYTES = 4_000_000;

/** Aborts a call that receives nothing; `came` restarts the clock. */
const watchStall = () => {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const came = () => {
    stop();
    timer = setTimeout(() => controller.abort(), STALLED_MS);
  };
  came();
  return { signal: controller.signal, came, stop };
};

const readAll = async (body: ReadableStream<Uint8Array>, onChunk: StreamOptions['onChunk']) => {
  const parts: Blob[] = [];
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  const flush = () => {
    parts.push(new Blob(chunks as BlobPart[]));
    chunks = [];
    bytes = 0;
  };
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    onChunk(value);
    if (bytes >= PART_BYTES) flush();
  }
  flush();
  return parts;
};

/**
 * Fetches a file of unknown length and reports every chunk that arrives. A download that ends early throws, even
 * though some of its chunks were reported.
 */
export const streamFile = async (
  path: string,
  { signal, onChunk, ...options }: StreamOptions,
): Promise<Blob[]> => {
  const token = storedToken();
  const stall = watchStall();
  try {
    const response = await fetch(callUrl(path, options), {
      headers: headersOf({}, token),
      signal: AbortSignal.any([signal, stall.signal]),
    });
    if (response.ok && response.body)
      return await readAll(response.body, (chunk) => {
        stall.came();
        onChunk(chunk);
      });
    if (response.status === 401 && token && token === storedToken()) endSession('expired');
    throw replyFault(response.status, parsed(await response.text()));
  } catch (error) {
    throw error instanceof ApiError ? error : networkFault();
  } finally {
    stall.stop();
  }
};
