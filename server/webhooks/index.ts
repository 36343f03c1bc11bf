export { openKeeper } from './keep-endpoint.ts';
export { openWebhooks, type Webhooks } from './open-webhooks.ts';
export type { Timing } from './patience.ts';
export type { AddressVerdict, Answer, Post, Receivers } from './receivers.ts';
export { webhookRoutes } from './routes.ts';
export { runWebhooks } from './run-webhooks.ts';
export { currentSecret } from './secrets.ts';
export { webhookTasks } from './tasks.ts';
export type { WebhookRouteDeps, WebhooksDeps } from './webhooks-deps.ts';
