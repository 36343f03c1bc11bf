export type {
  ProviderWebhook,
  Receiver,
  ReceivingLane,
  WebhookAnswer,
  WebhookCall,
} from './provider-webhook.ts';
export { openReceiver } from './receive.ts';
export { recoverWorkers } from './recover-workers.ts';
export { type Delivery, runDelivery } from './run-delivery.ts';
export type { DeliveryTiming } from './timing.ts';
export { type ProviderWebhooksDeps, providerWebhooks } from './webhook-routes.ts';
