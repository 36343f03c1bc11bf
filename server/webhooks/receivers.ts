import type { AnswerFault } from '../../contract/webhooks.ts';

/** What may be wrong with an address: not one, inside of somebody's network, or at a port of another service. */
export type AddressVerdict = 'fine' | 'invalid' | 'private' | 'port';

export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What came back. It was taken when the status is 2xx; a redirect is not followed. */
export interface Answer {
  /** Null when there was none. */
  status: number | null;
  /** Why there was none, or why it does not count. */
  fault: AnswerFault | '';
  /** How it begins, or the cause of the fault. */
  body: string;
  milliseconds: number;
  /** For how long the receiver wants to be left alone. */
  retryAfterMs: number | undefined;
}

/** The way to the systems of customers, who choose the addresses: nothing inside our own network is reached. */
export interface Receivers {
  /** For when an address is saved. A name that is not known now is fine: it is asked anew at each connection. */
  judge: (url: string) => Promise<AddressVerdict>;
  /** Never throws. */
  post: (post: Post) => Promise<Answer>;
  close: () => void;
}
