import type { Readable } from 'node:stream';

interface FetchedMedia {
  /** As the provider says; nobody has checked the bytes. */
  mimeType: string;
  /** Of the bytes, in hexadecimal digits, if the provider gives it. */
  sha256: string | undefined;
  body: Readable;
}

/** Where the files of a message are fetched from. Whatever it throws is retried, unless the file is gone. */
export interface MediaSource {
  fetch: (providerMediaId: string, signal: AbortSignal) => Promise<FetchedMedia | 'gone'>;
}
