import type { Inbound, Receipt } from '../lanes/index.ts';
import type { WebhookAnswer, WebhookCall } from '../route/index.ts';

export type { WebhookAnswer, WebhookCall };

/** Stores a provider's reports, on the lane of this name; resolves once they are stored, and may be repeated. */
export interface Receiver {
  receipts: (laneName: string, receipts: Receipt[]) => Promise<void>;
  inbound: (laneName: string, inbound: Inbound[]) => Promise<void>;
}

/**
 * Where a provider calls us. The handler authenticates the call (by a signature or a secret) and answers 2xx only after
 * the report is stored: whatever it throws becomes an error answer, and the provider calls again.
 */
export interface ProviderWebhook {
  /** Below /api/providers/, such as `whatsapp`. May contain parameters of the router, such as `http/:name`. */
  path: string;
  methods: readonly WebhookCall['method'][];
  handle: (call: WebhookCall, receiver: Receiver) => Promise<WebhookAnswer>;
}
