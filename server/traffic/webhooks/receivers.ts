import type { AnswerFault } from '../../../contract/traffic/webhooks.ts';

/** What may be wrong with an address: not an address, in a private network, or at a port of another service. */
export type AddressVerdict = 'fine' | 'invalid' | 'private' | 'port';

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The receiver's answer. A 2xx status means delivered; a redirect is not followed. */
export interface ReceiverAnswer {
  /** Null when there was none. */
  status: number | null;
  /** Why there was none, or why it does not count. */
  fault: AnswerFault | '';
  /** The beginning of the body, or the cause of the fault. */
  body: string;
  milliseconds: number;
  /** How long the receiver wants to be left alone. */
  retryAfterMs: number | undefined;
}

/** The port to customers' systems. Customers choose the addresses, so nothing in our own network may be reached. */
export interface Receivers {
  /** For saving an address. A name that can't be resolved now is fine: it is resolved again at each connection. */
  judge: (url: string) => Promise<AddressVerdict>;
  /** Never throws. */
  post: (post: Post) => Promise<ReceiverAnswer>;
  close: () => void;
}
