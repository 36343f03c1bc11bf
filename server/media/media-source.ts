import type { Readable } from 'node:stream';

export interface FetchedMedia {
  /** As the provider says; nobody has looked at the bytes. */
  mimeType: string;
  /** Of the bytes, in hexadecimal digits, if the provider tells. */
  sha256: string | undefined;
  body: Readable;
}

/** Where the bytes of what came with a message are fetched. Whatever it throws is tried again, unless it is gone. */
export interface MediaSource {
  fetch: (providerMediaId: string, signal: AbortSignal) => Promise<FetchedMedia | 'gone'>;
}
