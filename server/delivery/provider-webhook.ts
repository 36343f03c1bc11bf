import type { IncomingHttpHeaders } from 'node:http';
import type { Inbound, Receipt } from '../lanes/index.ts';

/** A call by which a provider tells something: as it came, since signatures are made over just that. */
export interface WebhookCall {
  method: 'GET' | 'POST';
  /** Path and query as they were called. */
  url: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The bytes of the body; none for GET. */
  body: Buffer;
}

export interface WebhookAnswer {
  status: number;
  /** The content type; plain text unless given. */
  type?: string;
  body?: string;
}

/** What a provider tells is stored by these, on the lane of this name; resolves once it is, and may be repeated. */
export interface Receiver {
  receipts: (laneName: string, receipts: Receipt[]) => Promise<void>;
  inbound: (laneName: string, inbound: Inbound[]) => Promise<void>;
}

/**
 * Where a provider calls us. The handler checks who calls (a signature, a secret) and answers 2xx only after what
 * it was told is stored: whatever it throws becomes an error answer, and the provider comes again.
 */
export interface ProviderWebhook {
  /** Below /api/providers/, such as `whatsapp`. May hold parameters of the router, such as `http/:name`. */
  path: string;
  methods: readonly WebhookCall['method'][];
  handle: (call: WebhookCall, receiver: Receiver) => Promise<WebhookAnswer>;
}
