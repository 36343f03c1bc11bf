import type { Inbound, Receipt } from '../lanes/index.ts';
import type { WebhookAnswer, WebhookCall } from '../route/index.ts';

export type { WebhookAnswer, WebhookCall };

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
