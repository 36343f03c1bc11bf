export type { Carrier, CarrierEvents, Inbound, Outgoing, Receipt, SendOutcome } from './carrier.ts';
export { type Lane, type LaneDefinition, openLanes } from './lane.ts';
export { LANES_CHANNEL, type LaneSettings, wakeLanes } from './lane-store.ts';
export type { ProviderWebhook, Receiver, WebhookAnswer, WebhookCall } from './provider-webhook.ts';
export { openReceiver, type ReceiverDeps } from './receive.ts';
export { type Delivery, runDelivery } from './run-delivery.ts';
export { findCustomersInSession, findSessions, type OpenSession } from './session-store.ts';
export { deliveryTasks } from './tasks.ts';
