import type { WebhookAnswer, WebhookCall } from '../../ground/route/index.ts';
import type { Inbound, Lane, Receipt } from '../lanes/index.ts';

export type { WebhookAnswer, WebhookCall };

/** By its name, or as it was just read: a lane of phones is renamed with its phone, and another may get its name. */
export type ReceivingLane = string | Pick<Lane, 'id' | 'name' | 'channel'>;

/** Stores a provider's reports on a lane; resolves once they are stored, and may be repeated. Webhooks know its name. */
export interface Receiver<To extends ReceivingLane = string> {
  receipts: (lane: To, receipts: Receipt[]) => Promise<void>;
  inbound: (lane: To, inbound: Inbound[]) => Promise<void>;
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
